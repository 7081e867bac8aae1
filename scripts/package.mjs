// npm run package: makes the package `postrider` of everything that runs, as it would be published: the service, the console, the
// simulator and the client library, compiled. npm installs the file that it writes, and prints, without a compiler.
// `node scripts/package.mjs <folder>` writes it there; the default is dist/.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepare, root } from './workspace.mjs';

/** They lie inside of the package, and find each other as they do in a clone. */
const PARTS = ['server', 'console', 'simulator', 'sdk'];
/** Starts the program that lies in one of the parts. */
const PROGRAM = `#!/usr/bin/env node
require('@postrider/server/dist/bin/postrider.cjs');
`;

const destination = resolve(process.argv[2] ?? join(root, 'dist'));
await prepare({ packages: ['server', 'simulator', 'sdk'], onlyRuntime: true });
mkdirSync(destination, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'postrider-package-'));
try {
  const folder = join(work, 'package');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const manifests = PARTS.map((part) => addPart(part, folder));
  writeJson(join(folder, 'package.json'), manifestOf(manifests));
  writeFileSync(join(folder, 'postrider.cjs'), PROGRAM, { mode: 0o755 });
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(folder, name));
  console.log(pack(folder, destination));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Unpacks what npm would publish of a part. @returns its manifest as it stands in the sources */
function addPart(part, folder) {
  const manifest = JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8'));
  const target = join(folder, 'node_modules', manifest.name);
  mkdirSync(target, { recursive: true });
  const file = pack(join(root, part), work);
  run('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  for (const name of readdirSync(target, { recursive: true })) {
    if (name.endsWith('.map')) rmSync(join(target, name));
  }
  const { name, version, license, type, exports, imports, sideEffects } = manifest;
  // What it needs is named once, by the package that it lies in.
  const bundled = { name, version, license, type, exports, imports, sideEffects };
  writeJson(join(target, 'package.json'), bundled);
  return manifest;
}

function manifestOf(manifests) {
  const { version, license, engines, dependencies } = manifests[PARTS.indexOf('server')];
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = Object.fromEntries(manifests.map(({ name, version: ownVersion }) => [name, ownVersion]));
  return {
    name: 'postrider',
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { postrider: 'postrider.cjs' },
    dependencies: { ...dependencies, ...own },
    bundleDependencies: Object.keys(own),
  };
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** @returns the file that npm has packed */
function pack(folder, into) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  run('npm', ['pack', folder, '--ignore-scripts', '--silent', '--pack-destination', into]);
  const file = join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!existsSync(file)) throw new Error(`npm packed ${folder}, but not into ${file}.`);
  return file;
}

function run(command, args) {
  const options = { stdio: ['ignore', 'ignore', 'inherit'], shell: command === 'npm' && process.platform === 'win32' };
  const { status, error } = spawnSync(command, args, options);
  if (error || status !== 0) throw new Error(`${command} ${args[0]} failed${error ? `: ${error.message}` : '.'}`);
}
