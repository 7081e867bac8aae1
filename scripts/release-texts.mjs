// The texts that a release changes. Nothing is written here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['', 'server/', 'simulator/', 'sdk/', 'console/', 'e2e/', 'bench/'];
const CHART = 'deploy/chart/Chart.yaml';
/** Versions of our own packages, also where another one names them. */
const OWN = /("@postrider\/[\w-]+": )"\d+\.\d+\.\d+"/g;

/** @returns {boolean} whether version `a` comes after version `b` */
export function newerThan(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const place = left.findIndex((number, index) => number !== right[index]);
  return place >= 0 && left[place] > right[place];
}

/**
 * @param {string} text of CHANGELOG.md @param {string} version @param {string} day such as 2026-11-26
 * @returns {string | null} the same with "Unreleased" as the heading of the version, or with its day of release; null: it has neither heading
 */
export function releaseChangelog(text, version, day) {
  const heading = `## [${version}] - ${day}`;
  const found = new RegExp(`^## \\[(?:Unreleased|${version.replaceAll('.', '\\.')})\\].*$`, 'm');
  return found.test(text) ? text.replace(found, heading) : null;
}

/** @returns {[string, string][]} every file that names the version of the release, with its new text */
export function setVersions(root, version) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const manifests = FOLDERS.map((folder) => {
    const text = read(`${folder}package.json`).replace(OWN, `$1"${version}"`);
    return [`${folder}package.json`, text.replace(/^( {2}"version": )".*"/m, `$1"${version}"`)];
  });
  const chart = read(CHART).replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);
  return [...manifests, ['package-lock.json', setLockVersions(read('package-lock.json'), version)], [CHART, chart]];
}

/** The lock file names the version of the root, and of each package of the workspace. */
function setLockVersions(text, version) {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const folder of FOLDERS) lock.packages[folder.slice(0, -1)].version = version;
  return `${JSON.stringify(lock, null, 2).replace(OWN, `$1"${version}"`)}\n`;
}
