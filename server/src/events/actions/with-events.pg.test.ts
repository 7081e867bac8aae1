import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { readEvents } from '#events/store/events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { withEvents } from './with-events.ts';

/* Transactions that meet: what only a database with several connections can show. */

const rt = testRuntime();
const TENANTS = Array.from({ length: 3 }, () => rt.newId<TenantId>());
const WRITERS = 6;
const ROUNDS = 60;
let database: TestDatabase;
let second: Database;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  second = openPostgres({ url: database.url ?? '', poolSize: WRITERS, log: rt.log });
});
afterAll(async () => {
  await second.close();
  await database.drop();
});

/** A writer whose transactions take different times between their facts and their commit. */
async function write(writer: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await withEvents(rt, second, async (tx, events) => {
      const tenants = (round + writer) % 2 === 0 ? TENANTS : [...TENANTS].reverse();
      for (const tenantId of tenants) events.add({ tenantId, type: 'message.sent', data: { writer, round } });
      await tx.run({ name: 'test_dawdle', text: 'select pg_sleep($1)' }, [((writer * 7 + round) % 5) / 1_000]);
    });
  }
}

test('a reader that follows while transactions commit in any order sees every event once, in order and without gaps', async () => {
  let writing = true;
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => {
    writing = false;
  });
  const seen = new Map(TENANTS.map((tenantId) => [tenantId, [] as number[]]));
  const follow = async (tenantId: TenantId) => {
    const sequences = seen.get(tenantId) ?? [];
    const events = await readEvents(database.db, { tenantId, after: sequences.at(-1) ?? 0, types: null, limit: 9 });
    sequences.push(...events.map(({ sequence }) => sequence));
    return events.length;
  };
  while (writing) for (const tenantId of TENANTS) await follow(tenantId);
  await writers;
  for (const tenantId of TENANTS) while ((await follow(tenantId)) > 0);
  for (const sequences of seen.values()) {
    expect(sequences).toEqual(Array.from({ length: WRITERS * ROUNDS }, (_, index) => index + 1));
  }
});
