// npm test: installs and builds what is missing, then runs the whole suite on the embedded database, and on
// PostgreSQL too when TEST_DATABASE_URL names a server. Arguments go to vitest.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './workspace.mjs';

requireNode();
ensureInstalled();
// The tests of the command line and of the proofs start the built programs.
ensureBuilt(['server', 'simulator', 'e2e', 'bench']);
if (!process.env.TEST_DATABASE_URL) {
  console.log(
    'TEST_DATABASE_URL is not set: the suite runs on the embedded database, without the tests on PostgreSQL.',
  );
}
run(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)]);
