import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { exportContacts } from './export-contacts.ts';

const rt = testRuntime();
const CONTACTS = 2_300;
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  const text = `insert into contacts (tenant_id, contact_id, phone, name, created_ms, updated_ms)
    select $1, ('0190a6f2-8c20-7a10-8f00-' || lpad(to_hex(n), 12, '0'))::uuid, (447000000000 + n)::text, 'Ada ' || n, 1, 1
    from generate_series(1, $2::integer) n`;
  await database.db.run({ name: 'test_export_contacts', text }, [tenantId, CONTACTS]);
});
afterAll(() => database.drop());

/** A database that records how many rows it returned at a time. */
function watched(db: Database): { readonly db: Database; readonly given: number[] } {
  const given: number[] = [];
  const kysely = db.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      given.push(result.rows.length);
      return result;
    },
  });
  const run: Database['run'] = async (...asked) => {
    const result = await db.run(...asked);
    given.push(result.rows.length);
    return result as never;
  };
  const other = { kind: db.kind, transaction: db.transaction, listen: db.listen, notify: db.notify, close: db.close };
  return { db: { ...other, kysely, run } as Database, given };
}

test('an export holds a portion of the contacts at a time, and reads the next one when that is taken', async () => {
  const { db, given } = watched(database.db);
  const wish = { tenantId, filter: {}, format: 'ndjson', nowMs: rt.clock.now() } as const;
  const pieces = exportContacts(db, wish)[Symbol.asyncIterator]();
  const sizes: number[] = [];
  for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
    sizes.push(piece.value.trimEnd().split('\n').length);
    // Nothing was read ahead of what was taken, but for the row that says whether there is more.
    const read = given.reduce((sum, rows) => sum + rows, 0);
    expect(read - sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(sizes.length);
  }
  expect(sizes).toEqual([500, 500, 500, 500, 300]);
});
