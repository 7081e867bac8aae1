import type { Clock } from '#runtime/clock';
import type { Metrics } from '#runtime/metrics';
import type { OpenDatabase, SqlRunner, Statement, Transaction } from './database.ts';

/**
 * The same database, with the metrics of its statements and connections. What runs in `session` is not counted: migrations and
 * checks, not the work of the service.
 */
export function timedDatabase(db: OpenDatabase, metrics: Metrics, clock: Clock): OpenDatabase {
  const { transaction } = db;
  const times = new StatementTimes(metrics);
  const timed =
    (run: SqlRunner['run']): SqlRunner['run'] =>
    async <Row>(statement: Statement, parameters: readonly unknown[]) => {
      const startMs = clock.monotonic();
      let result: 'ok' | 'failed' = 'failed';
      try {
        const rows = await run<Row>(statement, parameters);
        result = 'ok';
        return rows;
      } finally {
        times.note(statement.name, (clock.monotonic() - startMs) / 1_000, result);
      }
    };
  const within = (tx: Transaction): Transaction => ({
    run: timed(tx.run),
    atCommit: (command) => tx.atCommit(command),
  });
  metrics.onRead(() => {
    times.show();
    const { busy, open, waiting } = db.load();
    metrics.connections.set({ state: 'busy' }, busy);
    metrics.connections.set({ state: 'idle' }, open - busy);
    metrics.connectionWaiters.set(waiting);
  });
  return { ...db, run: timed(db.run), transaction: (work) => transaction((tx) => work(within(tx))) };
}

/** Counted in plain numbers, which cost a statement nothing, and shown when somebody asks. */
class StatementTimes {
  readonly #metrics: Metrics;
  readonly #byName = new Map<string, { ok: number; failed: number; seconds: number }>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  note(name: string, seconds: number, result: 'ok' | 'failed'): void {
    let known = this.#byName.get(name);
    if (known === undefined) {
      known = { ok: 0, failed: 0, seconds: 0 };
      this.#byName.set(name, known);
    }
    known[result] += 1;
    known.seconds += seconds;
    this.#metrics.statementTime.observe(seconds);
  }

  show(): void {
    const { statements, statementSeconds } = this.#metrics;
    statements.reset();
    statementSeconds.reset();
    for (const [statement, { ok, failed, seconds }] of this.#byName) {
      statements.inc({ statement, result: 'ok' }, ok);
      statements.inc({ statement, result: 'failed' }, failed);
      statementSeconds.inc({ statement }, seconds);
    }
  }
}
