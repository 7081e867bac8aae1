import pg from 'pg';
import type { Command, QueryResult, SqlRunner, Statement, Transaction } from './database.ts';
import { asStorageError } from './faults.ts';

const INT8_OID = 20;

/** bigint columns hold milliseconds and counters, all below 2^53: numbers, not strings. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

/** Runs a statement, prepared once per connection under its name. @throws as SqlRunner does */
export async function runOn<Row>(
  target: pg.Pool | pg.PoolClient,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> {
  try {
    const result = await target.query({ name: statement.name, text: statement.text, values: parameters as unknown[] });
    return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
  } catch (error) {
    throw asStorageError(error);
  }
}

/**
 * Runs `work` on a connection of the pool between begin and commit.
 * @param pool in pipeline mode: see inTransactionOn
 * @throws what `work` throws, after the rollback
 */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asStorageError(error);
  });
  let broken = false;
  try {
    return await inTransactionOn(client, work, () => {
      broken = true;
    });
  } finally {
    client.release(broken);
  }
}

/**
 * The same on a connection at hand, in pipeline mode. The first statement follows `begin`, and `commit` the last one, without
 * waiting for its answer: what the last one locks is held while the database commits, and no longer because this process
 * is busy.
 * @param lost told when not even the rollback got through
 */
export async function inTransactionOn<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
  lost: () => void = () => undefined,
): Promise<T> {
  const last: Command[] = [];
  const run: SqlRunner['run'] = (statement, parameters) => runOn(client, statement, parameters);
  try {
    const begun = client.query('begin');
    // It fails with its connection only, and then so does what follows it.
    begun.catch(() => undefined);
    const result = await work({ run, atCommit: (command) => void last.push(command) });
    const ended = last.map(({ statement, parameters }) => run(statement, parameters));
    await Promise.all([begun, ...ended, commit(client)]);
    return result;
  } catch (error) {
    await client.query('rollback').catch(lost);
    throw asStorageError(error);
  }
}

/** After a statement that failed the database takes a commit for a rollback, and says so in its answer alone. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
}
