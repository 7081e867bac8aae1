// What the npm package and the image are made of, as a bill of materials (CycloneDX 1.6), from the lock file. npm's own (`npm sbom`) leaves
// out what a package of the workspace needs for its tests as well.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What runs of ours. The console is bundled from what it needs; what bundles it is in the list, too. */
const PARTS = ['server', 'simulator', 'sdk', 'console'];

/**
 * @param {string} root of the project @param {string} version of the release
 * @returns {object} the document: each package once, with its version, licence and checksum, and what needs what
 */
export function billOfMaterials(root, version) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const places = neededPlaces(packages);
  const main = { type: 'application', name: 'postrider', version, 'bom-ref': `pkg:npm/postrider@${version}` };
  const needs = (place) => dependenciesOf(packages, place).map((needed) => referenceOf(packages, needed));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...main, purl: main['bom-ref'], licenses: licensesOf('MIT') } },
    components: places.map((place) => componentOf(packages, place)),
    dependencies: [
      { ref: main['bom-ref'], dependsOn: [...new Set(PARTS.flatMap(needs))].sort() },
      ...places.map((place) => ({ ref: referenceOf(packages, place), dependsOn: needs(place) })),
    ],
  };
}

/** Every place in node_modules that something that runs needs. */
function neededPlaces(packages) {
  const found = new Set();
  const waiting = [...PARTS];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const needed of dependenciesOf(packages, place)) {
      if (found.has(needed)) continue;
      found.add(needed);
      waiting.push(needed);
    }
  }
  return [...found].sort();
}

/** Without packages of the workspace, and without optional ones that npm has not recorded. */
function dependenciesOf(packages, place) {
  const { dependencies, optionalDependencies, peerDependencies } = packages[place];
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .map((name) => placeOf(packages, place, name))
    .filter((found) => found !== undefined && packages[found].link !== true);
}

/** Where Node finds a package: the nearest one above. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function purlOf(packages, place) {
  return `pkg:npm/${nameOf(place).replace('@', '%40')}@${packages[place].version}`;
}

/** One version of a package can be in several places. */
function referenceOf(packages, place) {
  return `${purlOf(packages, place)}#${place}`;
}

function componentOf(packages, place) {
  const { version, license, integrity, optional } = packages[place];
  const [group, name] = nameOf(place).startsWith('@') ? nameOf(place).split('/') : [undefined, nameOf(place)];
  return {
    type: 'library',
    'bom-ref': referenceOf(packages, place),
    ...(group === undefined ? {} : { group }),
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: purlOf(packages, place),
    ...(license === undefined ? {} : { licenses: licensesOf(license) }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

/** An expression, such as "(MIT OR CC0-1.0)", has another field than a name. */
function licensesOf(license) {
  return / (?:OR|AND) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function hashOf(integrity) {
  const [algorithm, base64 = ''] = integrity.split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') };
}
