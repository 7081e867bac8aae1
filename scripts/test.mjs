// npm test: installs and builds what is missing, then runs the whole suite on the embedded database, and on
// PostgreSQL too when TEST_DATABASE_URL names a server. Arguments go to vitest.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './workspace.mjs';

/** Some hundred databases of 40 MB are copied there and removed again: where there is memory for them, no disk has to keep up. */
const MEMORY_FOLDER = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

requireNode();
ensureInstalled();
// The tests of the command line and of the proofs start the built programs.
ensureBuilt(['server', 'simulator', 'e2e', 'bench']);
if (!process.env.TEST_DATABASE_URL) {
  console.log(
    'TEST_DATABASE_URL is not set: the suite runs on the embedded database, without the tests on PostgreSQL.',
  );
}
const folder = mkdtempSync(join(hasRoom(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'postrider-tests-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// The tests hear Ctrl-C too; what they leave is removed when they have ended.
process.on('SIGINT', () => undefined);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
run(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { env: { ...process.env, TMPDIR: folder } });

/** @param {string} path of a file system @returns {boolean} whether it is there and has enough room for the tests */
function hasRoom(path) {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= NEEDED_BYTES;
}
