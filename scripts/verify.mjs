// npm run verify: generates everything anew into a temporary folder and fails on any difference from what is
// committed; lints the API description.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './workspace.mjs';

const GENERATED = ['contract/openapi.json', 'server/migrations/schema.sql'];

requireNode();
ensureInstalled();
ensureBuilt(['server', 'simulator']);
const fresh = mkdtempSync(join(tmpdir(), 'postrider-verify-'));
for (const folder of ['contract', 'server/migrations']) mkdirSync(join(fresh, folder), { recursive: true });
run(process.execPath, [join(root, 'server', 'dist', 'bin', 'generate.js'), fresh]);
const stale = GENERATED.filter(
  (file) => readFileSync(join(fresh, file), 'utf8') !== readFileSync(join(root, file), 'utf8'),
);
rmSync(fresh, { recursive: true, force: true });
for (const file of stale) console.error(`${file} is not what the sources say: run "npm run gen" and commit it.`);
if (stale.length > 0) process.exit(1);
run('npx', ['--no-install', 'redocly', 'lint', 'contract/openapi.json']);
console.error('Generated files are up to date.');
