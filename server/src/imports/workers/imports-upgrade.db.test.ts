import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import type { BlobStore } from '#blobs/blob-store';
import type { TenantId } from '#core/ids';
import type { OpenDatabase } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { migrate } from '#database/migrator';
import type { ImportKind } from '#imports/domain/import';
import { findImport, listFaults } from '#imports/store/imports';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { openEmptyDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeImporter } from './importer.ts';

/** The last version in which recipients had a table of their own. */
const BEFORE = 42;
const TENANT = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
const CAMPAIGN = '0190a6f2-0000-7000-8000-000000000002';
const BLOB = '0190a6f2-0000-7000-8000-000000000003';
const FILE = '0190a6f2-0000-7000-8000-000000000004';
const OF_RECIPIENTS = '0190a6f2-0000-7000-8000-000000000005';
const OF_CONTACTS = '0190a6f2-0000-7000-8000-000000000006';
const NOW_MS = 1_700_000_000_000;

/** A process of the older program died after three of five rows; its lease is over. */
const HALF_DONE = `
insert into tenants (tenant_id, name, created_ms) values ('${TENANT}', 'Test', 1);
insert into campaigns (tenant_id, campaign_id, name, template, status, total, created_ms, updated_ms)
  values ('${TENANT}', '${CAMPAIGN}', 'spring', '{}', 'draft', 1, 1, 1);
insert into campaign_recipients (tenant_id, campaign_id, place, phone) values ('${TENANT}', '${CAMPAIGN}', 0, '447700900001');
insert into media_blobs (tenant_id, blob_id, sha256, size, created_ms) values ('${TENANT}', '${BLOB}', 'a', 1, 1);
insert into media (tenant_id, media_id, blob_id, mime_type, size, sha256, origin, created_ms, expires_ms)
  values ('${TENANT}', '${FILE}', '${BLOB}', 'text/csv', 1, 'a', 'upload', 1, ${2 * NOW_MS});
insert into campaign_imports (tenant_id, import_id, campaign_id, media_id, format, mapping, dry_run, status, total, added, duplicates,
    invalid, lease_until_ms, created_ms, updated_ms)
  values ('${TENANT}', '${OF_RECIPIENTS}', '${CAMPAIGN}', '${FILE}', 'csv', '{"Mobile": "to"}', false, 'running', 3, 1, 1, 1, 5, 1, 1);
insert into campaign_import_errors (tenant_id, import_id, row_number, outcome, reason) values
  ('${TENANT}', '${OF_RECIPIENTS}', 2, 'duplicate', 'Before.'), ('${TENANT}', '${OF_RECIPIENTS}', 3, 'invalid', 'Before.');
insert into imports (tenant_id, import_id, media_id, format, mode, match_on, mapping, dry_run, status, total, created, skipped,
    lease_until_ms, created_ms, updated_ms)
  values ('${TENANT}', '${OF_CONTACTS}', '${FILE}', 'csv', 'upsert', 'phone', '{"Mobile": "phone"}', false, 'running', 3, 2, 1, 5, 1, 1);
insert into import_errors (tenant_id, import_id, row_number, outcome, reason)
  values ('${TENANT}', '${OF_CONTACTS}', 3, 'skipped', 'Before.')`;

const TABLE = 'Mobile\n447700900001\n447700900001\n12\n447700900001\n447700900002\n';

/** What the older program asks twice a second. */
const OLD_CLAIM = `
update imports i set status = 'running', lease_until_ms = 1
from (select tenant_id, import_id from imports where finished_ms is null and lease_until_ms <= 1e15) due
where i.tenant_id = due.tenant_id and i.import_id = due.import_id`;

let db: OpenDatabase;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openEmptyDatabase(testRuntime()));
  const migrations = readMigrations(migrationsFolder());
  const before = migrations.filter(({ version }) => version <= BEFORE);
  await migrate(db, before, { nowMs: 1 });
  for (const text of HALF_DONE.split(';\n')) await db.run({ name: '', text }, []);
  await migrate(db, migrations, { nowMs: 1 });
});
afterAll(() => drop());

async function finish(kind: ImportKind, importId: string) {
  const rt = testRuntime({}, new TestClock(NOW_MS));
  const blobs = { open: async () => Readable.from([Buffer.from(TABLE)]) } as unknown as BlobStore;
  expect(await makeImporter({ rt, db, due: new DueWorkMonitor(rt, db), blobs }, kind).runOnce()).toBe(true);
  const ended = await findImport(db, { tenantId: TENANT, importId }, kind);
  const faults = ended === null ? [] : await listFaults(db, ended, 0, 10);
  return { ...ended, faults: faults.map(({ row, outcome }) => `${row} ${outcome}`) };
}

test('an import of recipients that an older program left half done goes on behind its last portion', async () => {
  expect(await finish('recipients', OF_RECIPIENTS)).toMatchObject({
    ...{ status: 'completed', error: null, campaignId: CAMPAIGN, total: 5, createdMs: 1 },
    counts: { added: 2, duplicate: 2, invalid: 1 },
    faults: ['2 duplicate', '3 invalid', '4 duplicate'],
  });
  const text = 'select phone from campaign_recipients order by place';
  expect((await db.run({ name: '', text }, [])).rows).toEqual([{ phone: '447700900001' }, { phone: '447700900002' }]);
});

test('an import of contacts that an older program left half done goes on behind its last portion', async () => {
  expect(await finish('contacts', OF_CONTACTS)).toMatchObject({
    ...{ status: 'completed', mode: 'upsert', matchOn: 'phone', total: 5 },
    counts: { created: 3, skipped: 1, duplicate_in_file: 1 },
    faults: ['3 skipped', '4 duplicate_in_file'],
  });
});

test('an older program that still runs after the upgrade takes no import, least of all one of another kind', async () => {
  await expect(db.run({ name: '', text: OLD_CLAIM }, [])).rejects.toThrow(/lease_until_ms/);
});
