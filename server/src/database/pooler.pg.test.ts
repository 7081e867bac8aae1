import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#maintenance/actions/open-database';
import { makeDatabase } from '#testing/database/test-database';
import { openTransactionPooler, type TransactionPooler } from '#testing/database/transaction-pooler';
import { testRuntime } from '#testing/test-runtime';

describe('a pooler that gives a connection to each transaction', () => {
  let made: Awaited<ReturnType<typeof makeDatabase>>;
  let pooler: TransactionPooler;

  beforeAll(async () => {
    made = await makeDatabase();
    pooler = await openTransactionPooler(made.url ?? '');
  });
  afterAll(async () => {
    await pooler.close();
    await made.drop();
  });

  test('is refused at the start with a sentence that says what to do', async () => {
    const opening = openDatabase(testRuntime({ databaseUrl: pooler.url }));
    await expect(opening).rejects.toThrow(
      /DATABASE_URL leads to a connection pooler .* Connect to PostgreSQL directly/,
    );
    await expect(opening).rejects.toMatchObject({ name: 'ConfigError' });
  });

  test('is not taken for one that keeps a session for each connection, nor is the server itself', async () => {
    const db = await openDatabase(testRuntime({ databaseUrl: made.url ?? '' }));
    await db.close();
  });
});
