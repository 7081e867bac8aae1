// npm run release -- 1.2.3: makes release 1.2.3 of what is committed, in dist/release/: the npm package, the client library, a bill of
// materials and checksums. It writes the version into the manifests, the chart and CHANGELOG.md, and leaves them to be committed and tagged.
// Nothing is published.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.mjs';
import { newerThan, releaseChangelog, setVersions } from './release-texts.mjs';
import { root } from './workspace.mjs';

const [version = '', ...rest] = process.argv.slice(2);
const folder = join(root, 'dist', 'release');
const current = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

if (!/^\d+\.\d+\.\d+$/.test(version) || rest.length > 0) fail('Say the version: npm run release -- 1.2.3');
if (version !== current && !newerThan(version, current)) fail(`${version} is not newer than ${current}.`);
if (run('git', ['status', '--porcelain']) !== '')
  fail('There are changes that are not committed: a release is made of what is.');
if (run('git', ['tag', '--list', `v${version}`]) !== '') fail(`There is a tag v${version} already.`);

const changelog = join(root, 'CHANGELOG.md');
const released = releaseChangelog(readFileSync(changelog, 'utf8'), version, new Date().toISOString().slice(0, 10));
if (released === null) fail('CHANGELOG.md has neither a heading "[Unreleased]" nor one of this version.');
writeFileSync(changelog, released);
for (const [file, text] of setVersions(root, version)) writeFileSync(join(root, file), text);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
run(process.execPath, [join(root, 'scripts', 'package.mjs'), folder]);
run('npm', ['pack', './sdk', '--ignore-scripts', '--silent', '--pack-destination', folder]);
writeFileSync(
  join(folder, `postrider-${version}.cdx.json`),
  `${JSON.stringify(billOfMaterials(root, version), null, 2)}\n`,
);
const sums = readdirSync(folder).map((name) => {
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  return `${sum}  ${name}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(
  `${sums.join('')}\nin dist/release. Next: commit, "git tag v${version}", and publish what you have looked at.`,
);

/** @returns {string} what a program has written */
function run(command, args) {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error || status !== 0) fail(`${command} ${args[0]} failed${error ? `: ${error.message}` : ', see above'}.`);
  return stdout.trim();
}

/** @returns {never} */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
