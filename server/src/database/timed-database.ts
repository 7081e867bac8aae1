import type { Clock } from '#runtime/clock';
import type { Metrics } from '#runtime/metrics';
import type { OpenDatabase, SqlRunner, Statement, Transaction } from './database.ts';

/** Statements of one name. */
interface Times {
  ok: number;
  failed: number;
  seconds: number;
}

/**
 * The same database, with the metrics of its statements and connections. What runs in `session` is not counted: migrations and
 * checks, not the work of the service.
 */
export function timedDatabase(db: OpenDatabase, metrics: Metrics, clock: Clock): OpenDatabase {
  const { transaction } = db;
  const times = new Map<string, Times>();
  const note = (name: string, startMs: number, result: 'ok' | 'failed'): void => {
    const seconds = (clock.monotonic() - startMs) / 1_000;
    let known = times.get(name);
    if (known === undefined) {
      known = { ok: 0, failed: 0, seconds: 0 };
      times.set(name, known);
    }
    known[result] += 1;
    known.seconds += seconds;
    metrics.statementTime.observe(seconds);
  };
  const timed =
    (run: SqlRunner['run']): SqlRunner['run'] =>
    async <Row>(statement: Statement, parameters: readonly unknown[]) => {
      const startMs = clock.monotonic();
      try {
        const result = await run<Row>(statement, parameters);
        note(statement.name, startMs, 'ok');
        return result;
      } catch (error) {
        note(statement.name, startMs, 'failed');
        throw error;
      }
    };
  metrics.onRead(() => {
    show(metrics, times);
    const { busy, open, waiting } = db.load();
    metrics.connections.set({ state: 'busy' }, busy);
    metrics.connections.set({ state: 'idle' }, open - busy);
    metrics.connectionWaiters.set(waiting);
  });
  const within = (tx: Transaction): Transaction => ({
    run: timed(tx.run),
    atCommit: (command) => tx.atCommit(command),
  });
  return {
    ...db,
    run: timed(db.run),
    transaction: (work) => transaction((tx) => work(within(tx))),
  };
}

/** Counted in plain numbers, which cost a statement nothing, and shown when somebody asks. */
function show(metrics: Metrics, times: ReadonlyMap<string, Times>): void {
  metrics.statements.reset();
  metrics.statementSeconds.reset();
  for (const [statement, { ok, failed, seconds }] of times) {
    metrics.statements.inc({ statement, result: 'ok' }, ok);
    metrics.statements.inc({ statement, result: 'failed' }, failed);
    metrics.statementSeconds.inc({ statement }, seconds);
  }
}
