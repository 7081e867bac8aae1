import type { Socket } from 'node:net';
import pg from 'pg';
import type { Clock } from '#runtime/clock';
import type { Log } from '#runtime/log';
import type { Connection, Load } from './database.ts';
import type { FreezeWatch } from './freeze-watch.ts';
import { connectionOn, types } from './pool.ts';

/** For opening one connection. */
export const CONNECT_TIMEOUT_MS = 3_000;
/** For a connection to become free: all of ours are busy, which says nothing about the server. */
const TURN_TIMEOUT_MS = 10_000;
/** Beyond the server's own statement_timeout: fires only when this very connection is dead. */
const QUERY_TIMEOUT_MS = 20_000;
/** TCP asks after a silent peer this early: a machine that vanished is noticed on idle connections before they are used. */
const KEEP_ALIVE_MS = 10_000;
/** After the server refused a connection for having too many, no other is tried for this long. */
const REFUSED_REST_MS = 5_000;
const TOO_MANY_CONNECTIONS = '53300';

export interface ConnectionsParams {
  readonly url: string;
  readonly log: Log;
  readonly clock: Clock;
  /** How many at most. */
  readonly size: number;
  /** Session settings, as options of the startup message. */
  readonly session: string;
  /** Done to each connection when it was opened, before anything else. */
  readonly prepare?: (connection: Connection) => Promise<void>;
  readonly guard: Guard;
  readonly watch: () => FreezeWatch;
}

/** What is asked of a connection before it is used; null: nothing yet. */
export interface Guard {
  check: ((connection: Connection) => Promise<void>) | null;
}

/**
 * Connections with the same session settings. Opened once and kept: the connection limit of the server is met at the
 * start rather than in the middle of a busy day, and when it is met, work goes on with those that are there.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #size: number;
  readonly #clock: Clock;
  readonly #clients = new Set<pg.PoolClient>();
  #limitedUntilMs = 0;

  constructor({ url, log, clock, size, session, prepare, guard, watch }: ConnectionsParams) {
    this.#size = size;
    this.#clock = clock;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: size,
      types,
      options: session,
      connectionTimeoutMillis: TURN_TIMEOUT_MS,
      idleTimeoutMillis: 0,
      query_timeout: QUERY_TIMEOUT_MS,
      application_name: 'postrider',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      // One client has one statement or transaction at a time; only the ends of a transaction are sent without waiting.
      pipeline: true,
      Client: lossAwareClient(watch),
      verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
        const steps = [prepare, guard.check].filter((step) => step != null);
        if (steps.length === 0) return done();
        const connection = connectionOn(client);
        const all = steps.reduce((before, step) => before.then(() => step(connection)), Promise.resolve());
        all.then(() => done(), done);
      },
    } as pg.PoolConfig);
    const lost = (error: Error) => log.warn({ error: error.message }, 'storage.connection_lost');
    this.#pool.on('error', lost);
    this.#pool.on('connect', (client) => {
      this.#clients.add(client);
      // The pool hears only of idle connections: one that breaks while a transaction holds it would end the process.
      client.on('error', lost);
    });
    this.#pool.on('remove', (client) => void this.#clients.delete(client as pg.PoolClient));
  }

  /** Connections in use or being opened. */
  get busy(): number {
    return this.#pool.totalCount - this.#pool.idleCount;
  }

  /** Whether one of those that are open has nothing to do. */
  get isIdle(): boolean {
    return this.#pool.idleCount > this.#pool.waitingCount;
  }

  /** Whether all of them are open, or being opened. */
  get isComplete(): boolean {
    return this.#pool.totalCount >= this.#size;
  }

  /** Whether the server refused one a moment ago. */
  get isLimited(): boolean {
    return this.#clock.monotonic() < this.#limitedUntilMs;
  }

  /** All of them as they are now. */
  get load(): Load {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  get bytesRead(): number {
    let sum = 0;
    for (const client of this.#clients) sum += socketOf(client).bytesRead;
    return sum;
  }

  /** Opens all of them. @returns how many the server granted */
  async open(): Promise<number> {
    const opened = await Promise.allSettled(Array.from({ length: this.#size }, () => this.#pool.connect()));
    const granted = opened.filter((result) => result.status === 'fulfilled');
    for (const { value } of granted) value.release();
    return granted.length;
  }

  /**
   * A connection for one statement or transaction; it must be released.
   * @throws the driver's error when there is none and none can be opened
   */
  async take(): Promise<pg.PoolClient> {
    if (!this.isLimited) this.#pool.options.max = this.#size;
    for (let triesLeft = this.#size; ; triesLeft -= 1) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (!isTooMany(error)) throw error;
        this.#limitedUntilMs = this.#clock.monotonic() + REFUSED_REST_MS;
        if (this.#pool.totalCount === 0 || triesLeft === 0) throw error;
        // No more are tried for a while: callers wait for one that is open, or being opened.
        this.#pool.options.max = this.#pool.totalCount;
      }
    }
  }

  /** Whoever waits on one of them gets its error now. */
  breakAll(): void {
    for (const client of this.#clients) socketOf(client).destroy();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Whether the server refused a connection because it has no more to give. */
export function isTooMany(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === TOO_MANY_CONNECTIONS;
}

/** A socket or its TLS wrapper: both count what they read. */
function socketOf(client: pg.PoolClient): Socket {
  return client.connection.stream as Socket;
}

/** Opening has a time limit of its own, and is not tried at all at a server that answers nothing. */
function lossAwareClient(watch: () => FreezeWatch): typeof pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
    override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect();
      if (watch().isFrozen)
        setImmediate(() => callback(new Error('The connection is not tried: the server is frozen.')));
      else super.connect(callback as (error: Error) => void);
      return undefined;
    }
  } as typeof pg.Client;
}
