import pg from 'pg';
import { camelName } from './camel-case.ts';
import {
  type Command,
  type Connection,
  type QueryResult,
  type SqlRunner,
  type Statement,
  StorageUnavailable,
  type Transaction,
} from './database.ts';
import { asStorageError, faultKind } from './pg-errors.ts';

const INT8_OID = 20;

/** bigint columns hold milliseconds and counters, all below 2^53: numbers, not strings. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

/** Runs a statement, prepared once per connection under its name. @throws as SqlRunner does */
export async function runOn<Row>(
  client: pg.Client,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> {
  try {
    const query = { name: statement.name, text: statement.text, values: parameters as unknown[] };
    const result = await (statement.camelCase ? camelCased(client, query) : client.query(query));
    return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
  } catch (error) {
    throw asStorageError(error);
  }
}

function camelCased(client: pg.Client, config: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new CamelCaseQuery(config);
    query.callback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(query);
  });
}

/** What pg calls of a query, beyond what its types show. */
interface DescribedQuery extends pg.Submittable {
  callback: (error: Error | null | undefined, result: pg.QueryResult) => void;
  handleRowDescription(message: { readonly fields: readonly { name: string }[] }): void;
}

/**
 * Gives the columns their names in camel case when the server describes them, so that the rows are made with these: to rename
 * the members of each row cost a tenth of what a message costs.
 */
class CamelCaseQuery extends (pg.Query as unknown as new (config: pg.QueryConfig) => DescribedQuery) {
  override handleRowDescription(message: { readonly fields: readonly { name: string }[] }): void {
    for (const field of message.fields) field.name = columnName(field.name);
    super.handleRowDescription(message);
  }
}

/** Columns by their names in the database. Not by statement: `select *` has other columns after a migration. */
const columnNames = new Map<string, string>();

function columnName(column: string): string {
  let name = columnNames.get(column);
  if (name === undefined) {
    name = camelName(column);
    columnNames.set(column, name);
  }
  return name;
}

/** Takes a connection; whoever takes one releases it. */
export type Take = () => Promise<pg.PoolClient>;

/** Runs a statement on a connection of its own, which is kept unless it failed itself. @throws as SqlRunner does */
export async function runOnConnection<Row>(
  take: Take,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> {
  const client = await taken(take);
  let lost = false;
  try {
    return await runOn<Row>(client, statement, parameters);
  } catch (error) {
    lost = !isAnswer(error);
    throw error;
  } finally {
    client.release(lost);
  }
}

/**
 * Runs `work` on a connection of its own between begin and commit.
 * @param take gives connections in pipeline mode: see inTransactionOn
 * @throws what `work` throws, after the rollback
 */
export async function inTransaction<T>(take: Take, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await taken(take);
  let lost = false;
  const isLost = (error: unknown): boolean => {
    lost ||= !isAnswer(error);
    return lost;
  };
  try {
    return await inTransactionOn(client, work, isLost);
  } finally {
    client.release(lost);
  }
}

async function taken(take: Take): Promise<pg.PoolClient> {
  try {
    return await take();
  } catch (error) {
    throw asStorageError(error);
  }
}

/** Whether a statement failed because the server said so: its connection is as good as before. */
export function isAnswer(error: unknown): boolean {
  const raw = error instanceof StorageUnavailable ? error.cause : error;
  return raw instanceof pg.DatabaseError && faultKind(raw) !== 'connection';
}

/**
 * The same on a connection at hand, in pipeline mode. The first statement follows `begin`, and `commit` the last one, without
 * waiting for its answer: what the last one locks is held while the database commits, and no longer because this process
 * is busy.
 * @param isLost asked about every failure of a statement: a connection that is lost gets no rollback, for which it would
 * wait as long as for the statement. The server rolls back what it does not hear the end of.
 */
export async function inTransactionOn<T>(
  client: pg.Client,
  work: (tx: Transaction) => Promise<T>,
  isLost: (error: unknown) => boolean = () => false,
): Promise<T> {
  const last: Command[] = [];
  let lost = false;
  const noteLoss = <R>(answer: Promise<R>): Promise<R> =>
    answer.catch((error: unknown) => {
      lost ||= isLost(error);
      throw error;
    });
  const run: SqlRunner['run'] = (statement, parameters) => noteLoss(runOn(client, statement, parameters));
  try {
    const begun = noteLoss(client.query('begin'));
    // It fails with its connection only, and then so does what follows it.
    begun.catch(() => undefined);
    const result = await work({ run, atCommit: (command) => void last.push(command) });
    const ended = last.map(({ statement, parameters }) => run(statement, parameters));
    await Promise.all([begun, ...ended, committed(noteLoss(client.query('commit')))]);
    return result;
  } catch (error) {
    if (!lost) await noteLoss(client.query('rollback')).catch(() => undefined);
    throw asStorageError(error);
  }
}

/** Statements and transactions on one connection. */
export function connectionOn(client: pg.Client): Connection {
  return {
    run: (statement, parameters) => runOn(client, statement, parameters),
    transaction: (work) => inTransactionOn(client, work),
  };
}

/** After a statement that failed the database takes a commit for a rollback, and says so in its answer alone. */
async function committed(commit: Promise<pg.QueryResult>): Promise<void> {
  const { command } = await commit;
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
}
