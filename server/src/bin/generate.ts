#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSchema } from '#database/dump-schema';
import { readMigrations } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { openPglite } from '#database/pglite';
import { callbackPage } from './callbacks/callback-page.ts';
import { eventReferencePage } from './event-reference.ts';
import { alertFile } from './monitoring/alert-file.ts';
import { dashboard } from './monitoring/dashboard.ts';
import { metricPage } from './monitoring/metric-page.ts';
import { settingsPage } from './monitoring/settings-page.ts';
import { openApiDocument } from './openapi.ts';
import { migrationsFolder } from './service.ts';

/*
 * Writes what is generated from the sources: contract/openapi.json, pages of docs/, deploy/monitoring, deploy/chart/files and migrations/schema.sql. The argument is the folder to write into, laid out like the project; `verify` writes elsewhere and compares.
 */
const [target = '.'] = process.argv.slice(2);
const db = await openPglite(null);
await migrate(db, readMigrations(migrationsFolder()), { nowMs: 0 });
writeFileSync(join(target, 'server/migrations/schema.sql'), await dumpSchema(db));
await db.close();
writeFileSync(join(target, 'contract/openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
writeFileSync(join(target, 'docs/callbacks.md'), callbackPage());
writeFileSync(join(target, 'docs/events.md'), eventReferencePage());
writeFileSync(join(target, 'docs/metrics.md'), metricPage());
writeFileSync(join(target, 'docs/settings.md'), settingsPage());
// A chart can take up only what lies in its own folder.
for (const folder of ['deploy/monitoring', 'deploy/chart/files']) {
  writeFileSync(join(target, folder, 'alerts.yml'), alertFile());
  writeFileSync(join(target, folder, 'dashboard.json'), dashboard());
}
