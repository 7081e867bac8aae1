import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '#runtime/log';
import type { Connection, Database } from './database.ts';
import { inTransaction, inTransactionOn, runOn, types } from './pool.ts';
import type { Schema } from './schema.ts';

/**
 * Session settings of every connection.
 * - force_custom_plan: a plan made while a table was nearly empty is otherwise kept and walks the whole backlog later
 *   (measured: 20 times slower).
 * - timeouts: a statement or transaction that hangs must not hold rows or the MVCC horizon.
 */
const SESSION = ['jit=off', 'statement_timeout=15s', 'lock_timeout=5s', 'idle_in_transaction_session_timeout=15s']
  .map((setting) => `-c ${setting}`)
  .join(' ');
const PLAN_ALWAYS = `${SESSION} -c plan_cache_mode=force_custom_plan`;
/** For statements that only insert: planning was a sixth of their time in batches of 60 (1.54 against 1.25 ms). */
const PLAN_ONCE = `${SESSION} -c plan_cache_mode=force_generic_plan`;
/** Batches of all tenants wait here: one that meets a locked row gives up soon, and is written tenant by tenant. */
const SHORT_WAIT = '-c lock_timeout=250ms';
/** As many as batches of accepted messages are written at once. */
const INSERT_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 3_000;
/** Beyond the server's own statement_timeout: fires only when the server does not answer at all. */
const QUERY_TIMEOUT_MS = 20_000;

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly log: Log;
}

/** PostgreSQL 15+ through `pg`. Opens no connection until the first query. */
export function openPostgres({ url, poolSize, log }: PostgresOptions): Database {
  const guard: Guard = { check: null };
  const pool = openPool({ url, guard, log, size: Math.max(1, poolSize - INSERT_CONNECTIONS), options: PLAN_ALWAYS });
  const inserts = openPool({ url, guard, log, size: INSERT_CONNECTIONS, options: `${PLAN_ONCE} ${SHORT_WAIT}` });
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    kysely,
    run: (statement, parameters) => runOn(statement.insertsOnly ? inserts : pool, statement, parameters),
    transaction: (work) => inTransaction(pool, work),
    guard: (check) => {
      guard.check = check;
    },
    listen: (channel, heard) => listen({ url, log, channel, heard }),
    notify: async (channel, payload) => {
      await runOn(pool, { name: 'notify', text: 'select pg_notify($1, $2)' }, [channel, payload]);
    },
    close: async () => {
      await kysely.destroy();
      await inserts.end();
    },
  };
}

/** What is asked of a connection before it is used; null: nothing yet. */
interface Guard {
  check: ((connection: Connection) => Promise<void>) | null;
}

interface PoolParams {
  readonly guard: Guard;
  readonly url: string;
  readonly log: Log;
  readonly size: number;
  readonly options: string;
}

function openPool({ url, guard, log, size, options }: PoolParams): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    options,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'postrider',
    keepAlive: true,
    // One client has one statement or transaction at a time; only the ends of a transaction are sent without waiting.
    pipeline: true,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
      if (guard.check === null) return done();
      guard.check(connectionOf(client)).then(() => done(), done);
    },
  } as pg.PoolConfig);
  const lost = (error: Error) => log.warn({ error: error.message }, 'storage.connection_lost');
  pool.on('error', lost);
  // The pool hears only of idle connections: one that breaks while a transaction holds it would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

function connectionOf(client: pg.PoolClient): Connection {
  return {
    run: (statement, parameters) => runOn(client, statement, parameters),
    transaction: (work) => inTransactionOn(client, work),
  };
}

interface ListenParams {
  readonly url: string;
  readonly log: Log;
  readonly channel: string;
  readonly heard: (payload: string) => void;
}

const RELISTEN_MS = 1_000;

/** A connection of its own for LISTEN, opened again when it breaks. Losing a notification only costs a poll interval. */
async function listen({ url, log, channel, heard }: ListenParams): Promise<() => Promise<void>> {
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    client = null;
    // A connection that fails both rejects and ends: without the second look every failure would bring two attempts.
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void open().catch(again);
    }, RELISTEN_MS);
    timer.unref();
  };
  const open = async () => {
    const next = new pg.Client({ connectionString: url, application_name: 'postrider-listen', keepAlive: true });
    next.on('error', (error) => log.warn({ error: error.message }, 'storage.listen_lost'));
    next.on('end', again);
    next.on('notification', (message) => heard(message.payload ?? ''));
    await next.connect();
    client = next;
    await next.query(`listen ${pg.escapeIdentifier(channel)}`);
  };
  await open();
  return async () => {
    closed = true;
    clearTimeout(timer);
    client?.removeListener('end', again);
    await client?.end().catch(() => undefined);
  };
}
