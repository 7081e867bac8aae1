import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../workspace.mjs';
import { output } from './program.mjs';

/*
 * What somebody has who starts from nothing: a clone in which nothing is installed, or the package in a folder of its own.
 */

/** What a clone does not have. */
const NOT_CLONED = new Set(['node_modules', 'dist', 'data', '.git', 'coverage']);

/** @returns the folder of a new clone of these sources */
export function makeClone(folder) {
  const clone = join(folder, 'clone');
  const filter = (path) => !NOT_CLONED.has(basename(path)) && !path.endsWith('.tsbuildinfo');
  cpSync(root, clone, { recursive: true, filter });
  return clone;
}

/** The package, made and installed once for all ways that need it. */
export class Package {
  #folder = null;
  #installing = null;

  /** @returns the folder with the command `postrider`, which every user of this machine may run */
  installed() {
    this.#installing ??= this.#install();
    return this.#installing;
  }

  async #install() {
    this.#folder = mkdtempSync(join(tmpdir(), 'postrider-package-'));
    chmodSync(this.#folder, 0o755);
    const make = [process.execPath, join(root, 'scripts', 'package.mjs'), this.#folder];
    const printed = await output({ name: 'npm run package', command: make, env: {} });
    const file = printed.trim().split('\n').at(-1);
    const install = ['npm', 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', file];
    writeFileSync(join(this.#folder, 'package.json'), '{}');
    await output({ name: 'npm install', command: install, env: {}, cwd: this.#folder });
    return join(this.#folder, 'node_modules', '.bin');
  }

  close() {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Nobody in particular, as a service is run: user and group 65534 where this is root, and who we are otherwise. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** @returns the beginning of a command that a service's user runs */
export function asServiceUser() {
  return isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs'] : [];
}

/** A folder of that user. @returns it */
export function makeServiceFolder(parent, name) {
  chmodSync(parent, 0o755);
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** A file that nobody but that user reads. */
export function writeServiceFile(file, text) {
  writeFileSync(file, text, { mode: 0o400 });
  if (isRoot) chownSync(file, NOBODY, NOBODY);
}
