import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from '#blobs/blob-store';
import type { Database } from '#database/database';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { watchMoves } from '#testing/database/watch-moves';
import { uploadFile } from '#testing/media/test-media';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { makeImporter } from './importer.ts';

/** Rows of a file, of which some are wrong and one repeats what stands before the place of the kill. */
const ROWS = 1_300;
const TWICE = 1_250;
const table = ['phone,name', ...Array.from({ length: ROWS }, (_, n) => rowOf(n + 1))].join('\n');

function rowOf(row: number): string {
  if (row === TWICE) return `${phoneOf(7)},Again`;
  return row % 100 === 0 ? `12,Short ${row}` : `${phoneOf(row)},Person ${row}`;
}

function phoneOf(row: number): string {
  return `44770090${String(row).padStart(4, '0')}`;
}

const LEASE_MS = 30_000;
let kit: TestService;
let tenant: TestTenant;
let clock: TestClock;
let moves: () => Promise<readonly string[]>;

beforeAll(async () => {
  // Without the ingester: the imports are brought in by the processes of these tests.
  kit = await startTestService({ config: { roles: 'api,dispatcher,maintenance' } });
  moves = await watchMoves(kit.service.db, 'imports');
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  clock = new TestClock(kit.rt.clock.now());
});
afterAll(() => kit.close());

/** A process that brings in imports. */
function processWith(db: Database) {
  const open = async () => Readable.from([Buffer.from(table)]);
  const blobs = { open } as unknown as BlobStore;
  const rt = testRuntime({}, clock);
  return makeImporter({ rt, db, due: new DueWorkMonitor(rt, db), blobs }, 'contacts');
}

type Death = 'before a portion' | 'within a portion' | 'right after its commit';

/** The database of a process that is killed at its n-th transaction: nothing of it comes through afterwards. */
function dyingDatabase(db: Database, at: number, death: Death): Database {
  let begun = 0;
  const dead = () => new Error('The process was killed.');
  return {
    kind: db.kind,
    kysely: db.kysely,
    run: (statement, parameters) => (begun >= at ? Promise.reject(dead()) : db.run(statement, parameters)),
    transaction: async (work) => {
      begun += 1;
      if (begun > at || (begun === at && death === 'before a portion')) throw dead();
      const result = await db.transaction(async (tx) => {
        const done = await work(tx);
        if (begun === at && death === 'within a portion') throw dead();
        return done;
      });
      if (begun === at) throw dead();
      return result;
    },
    guard: (check) => db.guard(check),
    listen: (channel, heard) => db.listen(channel, heard),
    aside: (work) => db.aside(work),
    notify: (channel, payload) => db.notify(channel, payload),
    close: () => Promise.resolve(),
  };
}

async function begin(): Promise<string> {
  const { key } = tenant;
  const file = await uploadFile(kit, key, Buffer.from(table), { filename: 'people.csv', type: 'text/csv' });
  return (await tenant.call('POST', '/v1/imports', { media_id: file.body.media_id })).body.id;
}

const read = async (id: string) => (await tenant.call('GET', `/v1/imports/${id}`)).body;

async function count(text: string): Promise<number> {
  const { rows } = await kit.service.db.run<{ n: number }>({ name: `test_count_${text.length}`, text }, [
    tenant.tenantId,
  ]);
  return rows[0]?.n ?? -1;
}

const cases = (['before a portion', 'within a portion', 'right after its commit'] as const).flatMap((death) =>
  [1, 2, 3].map((at) => ({ death, at })),
);

test.each(cases)('an import killed $death ($at) goes on behind what is done, and no row counts twice', async ({
  death,
  at,
}) => {
  const id = await begin();
  const { db } = kit.service;
  await expect(processWith(dyingDatabase(db, at, death)).runOnce()).rejects.toThrow('killed');
  const done = Math.min(500 * (death === 'right after its commit' ? at : at - 1), ROWS);
  expect(await read(id)).toMatchObject({ total: done, finished_at: null });
  expect(await processWith(db).runOnce()).toBe(false);
  clock.advance(LEASE_MS + 1);
  expect(await processWith(db).runOnce()).toBe(true);
  expect(await read(id)).toMatchObject({
    status: 'completed',
    total: ROWS,
    created: ROWS - 14,
    invalid: 13,
    duplicate_in_file: 1,
    updated: 0,
    unchanged: 0,
  });
  expect(await count('select count(*)::int as n from contacts where tenant_id = $1')).toBe(ROWS - 14);
  expect(await count('select count(*)::int as n from import_errors where tenant_id = $1')).toBe(14);
  expect(await moves()).toEqual(['queued > running', 'running > completed']);
});
