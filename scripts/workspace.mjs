// What the scripts share: is everything installed and compiled? Plain Node, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compile, isStale, NotCompiled } from './compile.mjs';
import { buildConsole, isConsoleStale } from './console.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];
/** Nobody should look at a silent terminal for longer. */
const PROGRESS_MS = 4_000;
const POLL_MS = 200;
/** Names the process that installs and compiles; one at a time may. */
const SETUP_LOCK = join(root, '.setup.pid');
/** What `npx postrider` starts. */
const COMMAND = join(root, 'node_modules', '.bin', 'postrider');
/** No package needs its install script, so none may run one. */
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

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

/**
 * Installs and compiles what is missing. Ends the process with a sentence when that fails.
 * @param {{ packages: readonly string[], onlyRuntime?: boolean }} needs the packages to compile, and whether only what
 *   these need when they run must be installed. The console is built with them.
 */
export async function prepare({ packages, onlyRuntime = false }) {
  requireNode();
  const isReady = () => isInstalled(onlyRuntime) && !packages.some(isStale) && !isConsoleStale() && existsSync(COMMAND);
  if (isReady()) return;
  await takeSetupLock();
  try {
    if (!isInstalled(onlyRuntime)) await install(onlyRuntime);
    const stale = packages.filter(isStale);
    if (stale.length > 0) console.error(`Compiling ${stale.join(', ')} …`);
    await compile(stale);
    if (isConsoleStale()) {
      console.error('Building the console …');
      await buildConsole();
    }
    if (!existsSync(COMMAND)) linkCommand();
  } catch (error) {
    if (error instanceof NotCompiled) fail(`It does not compile. ${error.message}`);
    if (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') {
      fail(`The compiler is not installed completely (${error.message}). Run "npm ci" and try again.`);
    }
    throw error;
  } finally {
    rmSync(SETUP_LOCK, { force: true });
  }
}

/** npm links a command only when its file is there, which was compiled after the installation. The service runs without it. */
function linkCommand() {
  const options = { cwd: root, stdio: 'ignore', shell: process.platform === 'win32' };
  spawnSync('npm', ['rebuild', '--ignore-scripts', '--offline', '@postrider/server'], options);
}

/** Compares what npm has recorded of its last installation, which it writes at the end, with the lock file. */
function isInstalled(onlyRuntime) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, dev, optional, devOptional }]) => {
    // What is optional may be for another system.
    if (!path.includes('node_modules/') || optional || devOptional || (onlyRuntime && dev)) return true;
    return installed[path] !== undefined && installed[path].version === version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
}

async function install(onlyRuntime) {
  const modules = join(root, 'node_modules');
  // npm would empty what the link points to, which others may use.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      'node_modules is a link, and does not hold what package-lock.json names. Install where it points to, or remove it.',
    );
  }
  const what = onlyRuntime ? 'what the service needs' : 'the dependencies';
  console.error(`Installing ${what} …`);
  const begunMs = performance.now();
  const seconds = () => Math.round((performance.now() - begunMs) / 1000);
  const progress = setInterval(() => console.error(`  … ${seconds()} s`), PROGRESS_MS);
  // On Windows npm is a script, which only a shell can start.
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
  const child = spawn('npm', onlyRuntime ? [...INSTALL, '--omit=dev'] : INSTALL, options);
  let interrupted = null;
  const pass = (signal) => {
    interrupted = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const problem = await new Promise((resolve) => {
    child.once('error', (error) => resolve(`npm could not be started: ${error.message}.`));
    child.once('exit', (code) => resolve(code === 0 ? null : `npm ended with code ${code ?? 'none'}, see above.`));
  });
  clearInterval(progress);
  for (const signal of SIGNALS) process.off(signal, pass);
  if (interrupted) fail('Interrupted while installing. The next start installs again.', 130);
  if (problem) {
    fail(`The dependencies could not be installed: ${problem}
They come from npm's registry (npm config get registry): is it reachable? The next start tries again.`);
  }
}

/** Waits while another process installs or compiles in this folder. A lock whose process is gone counts for nothing. */
async function takeSetupLock() {
  const own = `${SETUP_LOCK}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let waited = 0; ; waited += POLL_MS) {
      // A link appears together with what it holds.
      if (linked(own)) return;
      const owner = Number(existsSync(SETUP_LOCK) && readFileSync(SETUP_LOCK, 'utf8'));
      if (!isAlive(owner)) rmSync(SETUP_LOCK, { force: true });
      else if (waited % PROGRESS_MS === 0) {
        console.error(`Process ${owner} is installing or compiling in this folder; waiting for it …`);
      }
      await delay(POLL_MS);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function linked(own) {
  try {
    linkSync(own, SETUP_LOCK);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @returns {never} */
function fail(sentence, code = 1) {
  rmSync(SETUP_LOCK, { force: true });
  console.error(sentence);
  process.exit(code);
}
