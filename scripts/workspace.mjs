// What the scripts share: is everything installed and built? Plain Node, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];

/** Ends the process with a sentence when this Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`Postrider needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs a program in the project and ends the process with its code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) {
    console.error(`${command} could not be started: ${error.message}`);
    process.exit(1);
  }
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the dependencies when they are missing or the lock file is newer. */
export function ensureInstalled() {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.error('Installing dependencies …');
  // No package needs its install script, so none may run one.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Builds packages whose sources are newer than what was built. */
export function ensureBuilt(packages) {
  const stale = packages.filter((name) => newestSource(name) > builtAt(name));
  if (stale.length === 0) return;
  console.error('Building …');
  build(packages);
}

/** Compiles packages; the command line is a program that can be run as it is. */
export function build(packages) {
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', ...packages]);
  const program = join(root, 'server', 'dist', 'bin', 'postrider.cjs');
  if (existsSync(program)) chmodSync(program, 0o755);
}

function builtAt(name) {
  const info = join(root, name, 'dist', 'tsconfig.tsbuildinfo');
  return existsSync(info) ? statSync(info).mtimeMs : 0;
}

function newestSource(name) {
  const folders = ['bin', 'src'].map((folder) => join(root, name, folder)).filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }));
  const times = files.filter((file) => file.isFile()).map((file) => statSync(join(file.parentPath, file.name)).mtimeMs);
  return Math.max(statSync(join(root, 'tsconfig.base.json')).mtimeMs, ...times);
}
