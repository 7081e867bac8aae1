// npm run verify: generates everything anew into a temporary folder and fails on any difference from what is
// committed; lints the API description.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root, run } from './workspace.mjs';

const GENERATED = [
  'contract/openapi.json',
  'server/migrations/schema.sql',
  'docs/callbacks.md',
  'docs/events.md',
  'docs/metrics.md',
  'docs/settings.md',
  ...['monitoring', 'chart/files'].flatMap((folder) =>
    ['alerts.yml', 'dashboard.json'].map((name) => `deploy/${folder}/${name}`),
  ),
  ...['types', 'operations', 'routes', 'resources'].map((name) => `sdk/src/generated/${name}.ts`),
];

await prepare({ packages: ['server', 'simulator', 'sdk'] });
const fresh = mkdtempSync(join(tmpdir(), 'postrider-verify-'));
for (const folder of ['contract', 'server/migrations', 'docs', 'deploy/monitoring', 'deploy/chart/files'])
  mkdirSync(join(fresh, folder), { recursive: true });
run(process.execPath, [join(root, 'server', 'dist', 'bin', 'generate.js'), fresh]);
run(process.execPath, [join(root, 'sdk', 'dist', 'bin', 'generate.js'), fresh]);
const stale = GENERATED.filter((file) => textOf(fresh, file) !== textOf(root, file));
rmSync(fresh, { recursive: true, force: true });
for (const file of stale) console.error(`${file} is not what the sources say: run "npm run gen" and commit it.`);
if (stale.length > 0) process.exit(1);
run('npx', ['--no-install', 'redocly', 'lint', 'contract/openapi.json']);
run(process.execPath, [join(root, 'scripts', 'lint-with-spectral.mjs')]);
console.error('Generated files are up to date.');

/** Null: there is no such file. */
function textOf(base, file) {
  return existsSync(join(base, file)) ? readFileSync(join(base, file), 'utf8') : null;
}
