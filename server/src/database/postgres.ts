import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { systemClock } from '#runtime/clock';
import type { Log } from '#runtime/log';
import { makeKysely } from './camel-case.ts';
import { CONNECT_TIMEOUT_MS, Connections, type Guard, isTooMany } from './connections.ts';
import type { Connection, Load, OpenDatabase, Statement } from './database.ts';
import { FreezeWatch, serverAnswers } from './freeze-watch.ts';
import { asStorageError } from './pg-errors.ts';
import { PlanAge } from './plan-age.ts';
import { connectionOn, inTransaction, isAnswer, runOnConnection, type Take, types } from './pool.ts';

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
/** As many hot statements as are under way together as a rule: callbacks that come, callbacks that are applied, outcomes of sends. */
const HOT_CONNECTIONS = 3;

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly log: Log;
  /** The schema that all statements work in, and nothing outside of it. Absent: as the server resolves names. */
  readonly schema?: string | null;
}

/** PostgreSQL 15+ through `pg`. Opens no connection until the first query, or until it is asked to. */
export function openPostgres({ url, poolSize, log, schema = null }: PostgresOptions): OpenDatabase {
  // The server lives by the clock of the machine, also where a test moves that of the service.
  const guard: Guard = { check: null };
  const path = schema === null ? '' : ` -c search_path=${schema}`;
  // Channels belong to the database: what is said in one schema is for nobody in another.
  const channelOf = (channel: string) => (schema === null ? channel : `${schema}.${channel}`);
  const common = { url, log, clock: systemClock, guard, watch: () => watch };
  const rest = Math.max(1, poolSize - INSERT_CONNECTIONS);
  // What is read within a transaction needs a second connection of the others.
  const hotSize = Math.min(HOT_CONNECTIONS, Math.max(0, rest - 2) >> 1);
  const main = new Connections({ ...common, size: rest - hotSize, session: PLAN_ALWAYS + path });
  const insertSession = `${PLAN_ONCE} ${SHORT_WAIT}${path}`;
  const inserts = new Connections({
    ...common,
    size: INSERT_CONNECTIONS,
    session: insertSession,
    prepare: planForCitus,
  });
  const hot = new Connections({ ...common, size: hotSize, session: PLAN_ONCE + path, prepare: planForCitus });
  const all = [main, inserts, hot];
  const watch = watchFor(url, log, all);
  const kysely = makeKysely(poolOf(main));
  const takeMain = () => main.take();
  // Planned each time there, which costs a little; better than not to accept.
  const orMain = (error: unknown) => (isTooMany(error) ? main.take() : fail(error));
  const takeInsert = () => inserts.take().catch(orMain);
  const takeHot = takingHot(hot, main);
  const takeFor = (statement: Statement) =>
    statement.insertsOnly ? takeInsert : statement.hot ? () => takeHot().catch(orMain) : takeMain;
  return {
    kind: 'postgres',
    kysely,
    run: (statement, parameters) => runOnConnection(takeFor(statement), statement, parameters),
    transaction: (work) => inTransaction(takeMain, work),
    guard: (check) => {
      guard.check = check;
    },
    openConnections: async () => {
      const [others, inserting] = await Promise.all([main.open(), inserts.open()]);
      const granted = others + inserting + (main.isComplete ? await hot.open() : 0);
      return { wanted: rest + INSERT_CONNECTIONS, granted };
    },
    load: () => {
      const loads = all.map((connections) => connections.load);
      const sum = (figure: keyof Load) => loads.reduce((total, load) => total + load[figure], 0);
      return { open: sum('open'), busy: sum('busy'), waiting: sum('waiting') };
    },
    session: (work) => inSession({ url, log, options: PATIENT + path }, work),
    aside: (work) => inSession({ url, log, options: PATIENT + path }, work),
    listen: (channel, heard) => listen({ url, log, channel: channelOf(channel), heard }),
    notify: async (channel, payload) => {
      await runOnConnection(takeMain, { name: 'notify', text: 'select pg_notify($1, $2)' }, [
        channelOf(channel),
        payload,
      ]);
    },
    close: async () => {
      watch.close();
      await kysely.destroy();
      await Promise.all(all.map((connections) => connections.close()));
    },
  };
}

/** Takes one of `hot`, with plans that are not old; one of `main` when all are busy: a plan costs less than waiting. */
function takingHot(hot: Connections, main: Connections): Take {
  const plans = new PlanAge(systemClock);
  return async () => {
    // What the server has to give is for the others first: they have nothing else.
    const mayOpen = main.isComplete && !hot.isComplete && !hot.isLimited;
    if (!hot.isIdle && !mayOpen) return main.take();
    const client = await hot.take();
    plans.renew(client);
    return client;
  };
}

/** Citus finds the node of a statement when it plans it with its parameters: without them it refuses most inserts. */
async function planForCitus(connection: Connection): Promise<void> {
  await connection.run({ name: 'plan_for_citus', text: PLAN_FOR_CITUS }, []);
}

const PLAN_FOR_CITUS = `
select set_config('plan_cache_mode', 'force_custom_plan', false) from pg_extension where extname = 'citus'`;

function fail(error: unknown): never {
  throw error;
}

/** What queues behind a lock that is waited for waits as well: two seconds of that can be borne. */
export const SESSION_LOCK_TIMEOUT = '2s';
const PATIENT = [
  'jit=off',
  'statement_timeout=0',
  `lock_timeout=${SESSION_LOCK_TIMEOUT}`,
  'idle_in_transaction_session_timeout=0',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

interface SessionParams {
  readonly url: string;
  readonly log: Log;
  /** Settings of the session, as options of the startup message. */
  readonly options: string;
}

async function inSession<T>(
  { url, log, options }: SessionParams,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    types,
    options,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'postrider-session',
    keepAlive: true,
    pipeline: true,
  });
  client.on('error', (error) => log.warn({ error: error.message }, 'storage.connection_lost'));
  try {
    await client.connect();
    return await work(connectionOn(client));
  } catch (error) {
    throw asStorageError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function watchFor(url: string, log: Log, all: readonly Connections[]): FreezeWatch {
  const sum = (figure: (connections: Connections) => number) => all.reduce((total, one) => total + figure(one), 0);
  const watched = () => ({
    busy: sum((one) => one.busy),
    bytesRead: sum((one) => one.bytesRead),
    breakAll: () => {
      for (const one of all) one.breakAll();
    },
  });
  return new FreezeWatch({ clock: systemClock, log, watched, probe: () => serverAnswers(url, systemClock) });
}

/** For Kysely, which gives connections back without a word of what happened on them. */
function poolOf(connections: Connections): PostgresPool {
  const connect = async () => {
    const client = await connections.take();
    let lost = false;
    const query = (text: string, values: unknown[]) =>
      client.query(text, values).catch((error: unknown) => {
        lost ||= !isAnswer(error);
        throw error;
      });
    return { query, release: () => client.release(lost) };
  };
  return { connect, end: async () => undefined } as unknown as PostgresPool;
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
  // Not worth a start that fails: the connection limit may be met, and those that do the work count more.
  await open().catch((error: Error) => {
    log.warn({ error: error.message }, 'storage.listen_lost');
    again();
  });
  return async () => {
    closed = true;
    clearTimeout(timer);
    client?.removeListener('end', again);
    await client?.end().catch(() => undefined);
  };
}
