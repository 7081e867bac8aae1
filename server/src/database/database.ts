import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Rows of a whole SQL statement. */
export interface QueryResult<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number;
}

/** Runs whole named SQL statements: the hot path. Parameters are positional; arrays become PostgreSQL arrays. */
export interface SqlRunner {
  /**
   * @param statement a constant: its name identifies the prepared statement
   * @throws StorageUnavailable when the connection failed, so that the outcome is unknown; the driver's error otherwise
   */
  run<Row = Record<string, unknown>>(statement: Statement, parameters: readonly unknown[]): Promise<QueryResult<Row>>;
}

/** A whole SQL statement with a name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * Planned once per connection instead of at each run. Only for statements that do nothing but insert, or add to
   * the row that an insert meets: their plan cannot become wrong when a table grows.
   */
  readonly insertsOnly?: boolean;
  /**
   * Runs many times a second: outside of transactions it is planned once a second instead of at each run. The planner sees how large the tables
   * are, but none of its parameters: it must be right for all of them.
   */
  readonly hot?: boolean;
  /** Its rows name their columns in camel case, `tenant_id` as `tenantId`: they are objects of the domain as they come. */
  readonly camelCase?: boolean;
}

/**
 * Declares a statement of a store: ``const TEAM_FIND = statement('team_find')`select …` ``. Its rows are objects of the domain as
 * they come. Nothing is escaped: what is put into the text are parts of SQL, values are parameters.
 */
export function statement(name: string, options: Pick<Statement, 'insertsOnly' | 'hot'> = {}) {
  return (texts: TemplateStringsArray, ...parts: readonly (string | number)[]): Statement => {
    const text = texts.reduce((before, after, index) => `${before}${parts[index - 1]}${after}`);
    return { name, text, camelCase: true, ...options };
  };
}

/** A statement with its parameters. */
export interface Command {
  readonly statement: Statement;
  readonly parameters: readonly unknown[];
}

/**
 * What runs between begin and commit. A function that takes it makes several statements that belong together, or one that
 * locks for others; a function that takes a SqlRunner stands alone, in a transaction or not.
 */
export interface Transaction extends SqlRunner {
  /**
   * Runs a command right before the commit, sent together with it: for what locks something that others wait for. When it
   * fails, the transaction does.
   */
  atCommit(command: Command): void;
}

export interface Connected {
  readonly wanted: number;
  /** Fewer when the server has no more to give; work goes on with these. */
  readonly granted: number;
}

/** A single connection, or the database, that statements and transactions run on. */
export interface Connection extends SqlRunner {
  /** Runs `work` in one transaction; rolled back when it throws. Opened by operations and the migrator only. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** The database: PostgreSQL through `pg`, or PGlite. Nothing outside of this folder knows which. */
export interface Database extends Connection {
  readonly kind: 'postgres' | 'pglite';
  readonly kysely: Kysely<Schema>;
  /**
   * Runs `check` on each connection that is opened from now on, before anything else does; one whose check fails is closed. Does
   * nothing on PGlite, whose one connection always leads to the same database.
   */
  guard(check: (connection: Connection) => Promise<void>): void;
  /**
   * Runs long reads that nobody waits for: on a connection of its own without the time limits of requests, on PGlite on a copy of
   * the database, for whose making everything else waits for moments. What is read is of the time of the call or later; what is
   * written on PGlite is lost.
   */
  aside<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Hears `channel` on a connection of its own. Null where one process is all there is (PGlite). */
  listen(channel: string, heard: (payload: string) => void): Promise<(() => Promise<void>) | null>;
  /** Sends a notification outside any transaction of the hot path. Does nothing on PGlite. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}

/** The connections of a process, and who waits for one. */
export interface Load {
  readonly open: number;
  readonly busy: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** The database as the process that opened it has it. */
export interface OpenDatabase extends Database {
  /** How busy the connections are now. */
  load(): Load;
  /** Opens all connections, which are kept from then on. @returns how many there should be, and are */
  openConnections(): Promise<Connected>;
  /**
   * Runs work on a connection of its own without the time limits of requests; it waits two seconds at most for a lock. On
   * PGlite there is one connection: everything else waits.
   */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** The connection failed: whether the statement took effect is not known. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}
