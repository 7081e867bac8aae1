// npm test: installs and compiles what is missing, then runs the tests of the sources on the embedded database,
// and on PostgreSQL when TEST_DATABASE_URL names a server. --all adds the tests that take longest: those of the
// built programs (in a browser when there is a Chromium), and those that try every operation or wait long. --whole
// tries all cases of long tests, and adds the tests that take minutes. All other arguments go to vitest, which then
// chooses from all tests.
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { prepare, root, run } from './workspace.mjs';

/** Some hundred databases of 40 MB are copied there and removed again: where there is memory for them, no disk has to keep up. */
const MEMORY_FOLDER = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;
/** Those of vitest.config.ts that most changes need; without a server of PostgreSQL the last two do not exist. */
const QUICK_PROJECTS = ['plain', 'replacing', 'embedded', 'postgres', 'cells'];
/** What a Chromium is called; on macOS programs are not on the path. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_BROWSER = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const OWN_OPTIONS = ['--all', '--whole'];
const given = process.argv.slice(2);
const forVitest = given.filter((argument) => !OWN_OPTIONS.includes(argument));
const runsAll = given.includes('--all') || forVitest.length > 0;
const whole = given.includes('--whole') ? { TEST_WHOLE: '1' } : {};
const projects = runsAll ? [] : QUICK_PROJECTS.map((name) => `--project=${name}`);

// The tests of the command line and of the proofs start the built programs.
await prepare({ packages: ['server', 'simulator', 'sdk', 'e2e', 'bench'] });
if (!process.env.TEST_DATABASE_URL) {
  console.log(
    'TEST_DATABASE_URL is not set: the suite runs on the embedded database, without the tests on PostgreSQL.',
  );
}
if (!runsAll) {
  console.log(
    'The tests of the built programs and in a browser, and those that try every operation or wait long, are left out: npm test -- --all runs them too.',
  );
}
const browser = process.env.TEST_BROWSER || findBrowser();
if (runsAll && !browser) {
  console.log(
    'No Chromium was found, and TEST_BROWSER names none: the suite leaves out the tests of /docs and of the console in a browser.',
  );
}
const folder = mkdtempSync(join(hasRoom(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'postrider-tests-'));
// A PostgreSQL that a test starts runs as another user, and has its data in there.
chmodSync(folder, 0o711);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// The tests hear Ctrl-C too; what they leave is removed when they have ended.
process.on('SIGINT', () => undefined);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
run(process.execPath, [vitest, 'run', ...projects, ...forVitest], {
  env: { ...process.env, ...whole, TMPDIR: folder, TEST_BROWSER: browser },
});

/** @returns {string} the file of a browser that is installed, or nothing */
function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...files, MAC_BROWSER].find(isProgram) ?? '';
}

/** @param {string} file @returns {boolean} whether it can be started */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} path of a file system @returns {boolean} whether it is there and has enough room for the tests */
function hasRoom(path) {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= NEEDED_BYTES;
}
