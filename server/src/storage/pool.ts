import pg from 'pg';
import type { QueryResult, SqlRunner, Statement } from './database.ts';
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

/** Runs `work` on a connection of the pool between begin and commit. @throws what `work` throws, after the rollback */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: SqlRunner) => Promise<T>): Promise<T> {
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

/** The same on a connection at hand. @param lost told when not even the rollback got through */
export async function inTransactionOn<T>(
  client: pg.PoolClient,
  work: (tx: SqlRunner) => Promise<T>,
  lost: () => void = () => undefined,
): Promise<T> {
  try {
    await client.query('begin');
    const result = await work({ run: (statement, parameters) => runOn(client, statement, parameters) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(lost);
    throw asStorageError(error);
  }
}
