import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface Package {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  /** It lies inside of the package that needs it, under the checksum of that one. */
  readonly inBundle?: boolean;
  readonly license?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Package>> };
const foreign = Object.entries(packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);
const namesOf = (entries: readonly (readonly [string, Package])[]): readonly string[] => entries.map(([path]) => path);

/**
 * Packages for tests and benchmarks that would run a script when they are installed. .npmrc keeps them from it, and they work without:
 * esbuild has its program in a package of its own, scarf counts installations, and msgpackr-extract is a faster copy of other code.
 */
const WITH_INSTALL_SCRIPT = [
  'node_modules/@orval/core/node_modules/esbuild',
  'node_modules/@scarf/scarf',
  'node_modules/msgpackr-extract',
];

/** They allow use in a product, hosted or not, with a notice. */
const LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  ...['CC0-1.0', 'Python-2.0', 'MIT OR Apache-2.0', '(MIT OR Apache-2.0)', '(MIT OR CC0-1.0)', 'MPL-2.0', 'CC-BY-4.0'],
]);

/** Old packages that name their licence, MIT, in another place than npm looks at. */
const MIT_ELSEWHERE = ['busboy', 'combine-errors', 'dicer', 'humanize-number', 'only', 'streamsearch'];

/**
 * Packages that judge whether an address is public, some with published gaps (`ip`, `private-ip`, `netmask`, `nossrf`).
 * Our own code judges (core/public-address.ts), when the connection is made; none may come in, also below another package.
 */
const CHECK_ADDRESSES = new Set([
  ...['ip', 'ip-address', 'ipaddr.js', 'private-ip', 'is-ip-private', 'is-private-ip', 'netmask', 'nossrf'],
  ...['ssrf-req-filter', 'ssrf-filter', 'request-filtering-agent', 'is-localhost-ip', 'nodejs-ip-is-private'],
]);
/** Fastify asks it which proxies are trusted; it judges no address that we connect to. */
const ASKED_ABOUT_PROXIES = ['ipaddr.js'];

describe('package-lock.json', () => {
  test('holds a checksum of every package, and no address to download it from', () => {
    expect(foreign.length).toBeGreaterThan(100);
    expect(
      namesOf(foreign.filter(([, { integrity, inBundle }]) => integrity === undefined && inBundle !== true)),
    ).toEqual([]);
    expect(namesOf(foreign.filter(([, { resolved }]) => resolved !== undefined))).toEqual([]);
  });

  test('lists every package with an install script, and tells npm to run none', () => {
    expect(namesOf(foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true))).toEqual(
      WITH_INSTALL_SCRIPT,
    );
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  });

  test('holds no package with known gaps that judges addresses', () => {
    const names = namesOf(foreign).map((path) => path.split('node_modules/').at(-1) ?? '');
    expect(names.filter((name) => CHECK_ADDRESSES.has(name))).toEqual(ASKED_ABOUT_PROXIES);
    const asking = foreign.filter(([, { dependencies = {} }]) => 'ipaddr.js' in dependencies);
    expect(namesOf(asking)).toEqual(['node_modules/@fastify/proxy-addr']);
  });

  test('holds no package under a licence that nobody has looked at', () => {
    const others = foreign.filter(([, { license }]) => license === undefined || !LICENCES.has(license));
    expect(namesOf(others)).toEqual(MIT_ELSEWHERE.map((name) => `node_modules/${name}`));
  });
});

describe('dependencies', () => {
  const manifests = [
    'package.json',
    'server/package.json',
    'simulator/package.json',
    'sdk/package.json',
    'console/package.json',
    'bench/package.json',
    'e2e/package.json',
  ];
  const direct = manifests.flatMap((file) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file)) as Manifest;
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const record = read('docs/decisions/0008-dependencies.md');

  test.each(direct)('%s is pinned, and its reason is recorded', (name, version) => {
    if (!name.startsWith('@postrider/')) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(record).toContain(`\`${name}\``);
  });
});
