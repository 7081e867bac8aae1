import type pg from 'pg';
import { systemClock } from '#runtime/clock';
import type { Connection, Load, QueryResult, SqlRunner, Statement, Transaction } from '../database.ts';
import { asStorageError } from '../pg-errors.ts';
import { PlanAge } from '../plan-age.ts';
import { connectionOn, inTransactionOn, runOn } from '../pool.ts';

const PLAN_ALWAYS = 'set plan_cache_mode = force_custom_plan';
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan';

/** Work that waits for its turn. */
interface Turn {
  /** @returns null when the next one may start at once; else what it has to wait for */
  readonly start: (client: pg.PoolClient) => Promise<unknown> | null;
  readonly fail: (error: unknown) => void;
}

/**
 * The one connection of a database with one session; turns are taken in order of arrival. Statements are sent without
 * waiting for the answers to those before them, so that the database never waits for us. A transaction has the
 * connection for itself.
 */
export class SharedConnection implements SqlRunner {
  readonly #pool: pg.Pool;
  readonly #turns: Turn[] = [];
  readonly #plans = new PlanAge(systemClock);
  /** Whether it keeps plans at present. */
  #keepsPlans = false;
  #client: pg.PoolClient | null = null;
  #taking = false;
  #taken: Promise<void> = Promise.resolve();

  /** @param pool of one connection, in pipeline mode */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** One connection; it is busy while something waits for its turn. */
  get load(): Load {
    return { open: 1, busy: this.#taking ? 1 : 0, waiting: this.#turns.length };
  }

  run<Row>(statement: Statement, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const keepsPlan = (statement.hot ?? false) || (statement.insertsOnly ?? false);
    return this.#statement((client) => runOn<Row>(client, statement, parameters), keepsPlan);
  }

  inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#alone((client) => inTransactionOn(client, work));
  }

  /** Gives `work` the connection for itself, until it has ended. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#alone((client) => work(connectionOn(client)));
  }

  /** For Kysely, whose statements take their turns like all others. */
  query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.#statement((client) => client.query(text, values), false);
  }

  /** Resolves when everything that waits has ended and the connection is closed. */
  async close(): Promise<void> {
    await this.#taken;
    this.#client?.release();
    this.#client = null;
    await this.#pool.end();
  }

  #statement<T>(send: (client: pg.PoolClient) => Promise<T>, keepsPlan: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (client: pg.PoolClient): null => {
        this.#plan(client, keepsPlan);
        send(client).then(resolve, reject);
        return null;
      };
      this.#take({ start, fail: reject });
    });
  }

  #alone<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (client: pg.PoolClient) => {
        this.#plan(client, false);
        return work(client).then(resolve, reject);
      };
      this.#take({ start, fail: reject });
    });
  }

  /** Says how the next statement is planned, unless that is how the last one was. It leaves together with that statement. */
  #plan(client: pg.PoolClient, keeps: boolean): void {
    if (keeps) this.#plans.renew(client);
    if (keeps === this.#keepsPlans) return;
    this.#keepsPlans = keeps;
    // It fails with its connection only, and then so does what follows it.
    client.query(keeps ? PLAN_ONCE : PLAN_ALWAYS).catch(() => undefined);
  }

  #take(turn: Turn): void {
    this.#turns.push(turn);
    if (!this.#taking) this.#taken = this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    this.#taking = true;
    for (let turn = this.#turns.shift(); turn !== undefined; turn = this.#turns.shift()) {
      try {
        const client = this.#client ?? (await this.#connect());
        const busy = turn.start(client);
        if (busy !== null) await busy;
      } catch (error) {
        turn.fail(asStorageError(error));
      }
    }
    this.#taking = false;
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    this.#client = client;
    this.#keepsPlans = false;
    client.once('error', (error) => {
      this.#client = null;
      client.release(error);
    });
    return client;
  }
}
