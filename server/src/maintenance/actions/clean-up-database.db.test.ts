import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { vacuumQueues } from './clean-up-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());

/** Statistics leave with the transaction, not a second later. */
async function change(text: string): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.run({ name: '', text }, []);
    await tx.run({ name: '', text: 'select pg_stat_force_next_flush()' }, []);
  });
}

async function counts(): Promise<{ readonly vacuums: number; readonly samples: number }> {
  const text = `select vacuum_count::int as vacuums, analyze_count::int as samples
    from pg_stat_user_tables where relname = 'callback_queue'`;
  const { rows } = await database.db.run<{ vacuums: number; samples: number }>({ name: '', text }, []);
  return rows[0] ?? { vacuums: -1, samples: -1 };
}

async function tidied(): Promise<{ readonly vacuums: number; readonly samples: number }> {
  const before = await counts();
  await vacuumQueues(database.db, Number.POSITIVE_INFINITY);
  const after = await counts();
  return { vacuums: after.vacuums - before.vacuums, samples: after.samples - before.samples };
}

test('a queue is vacuumed every time, but analyzed only after more than a tenth of it has changed', async () => {
  await change('alter table callback_queue set (autovacuum_enabled = false)');
  const insert = (count: number) =>
    change(`insert into callback_queue select gen_random_uuid() from generate_series(1, ${count})`);
  await insert(10_000);
  expect(await tidied()).toEqual({ vacuums: 1, samples: 1 });
  expect(await tidied()).toEqual({ vacuums: 1, samples: 0 });
  await insert(900);
  expect(await tidied()).toEqual({ vacuums: 1, samples: 0 });
  await change('delete from callback_queue where ctid in (select ctid from callback_queue limit 600)');
  expect(await tidied()).toEqual({ vacuums: 1, samples: 1 });
  await change('delete from callback_queue');
  expect(await tidied()).toEqual({ vacuums: 1, samples: 1 });
});

test.each([
  { disk: 'that has room', freeBytes: 64 * 1024 * 1024, checkpoints: 1 },
  { disk: 'that is nearly full', freeBytes: 64 * 1024 * 1024 - 1, checkpoints: 0 },
])('a database on a disk $disk gets $checkpoints checkpoints', async ({ freeBytes, checkpoints }) => {
  const run = vi.spyOn(database.db, 'run');
  await vacuumQueues(database.db, freeBytes);
  expect(run.mock.calls.filter(([{ name }]) => name === 'checkpoint')).toHaveLength(checkpoints);
  run.mockRestore();
});
