import type { FastifyInstance } from 'fastify';
import { cellFolder, openCellDatabase } from '#cells/actions/cell-database';
import type { CellList } from '#cells/actions/cell-locator';
import type { CellRecorder } from '#cells/actions/record-over-cells';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { hasDirectory, listAddedCells } from '#cells/store/directory';
import type { JsonObject } from '#core/json';
import type { OpenDatabase } from '#database/database';
import { checkHealth } from '#database/health';
import type { Migration } from '#database/migration-file';
import type { CellReport } from '#http/deps';
import type { CallbackRecorder } from '#inbound/actions/record-callback';
import { type HistoryKeeper, makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { openConnections, prepareDatabase } from '#maintenance/actions/open-database';
import type { Runtime } from '#runtime/runtime';

/* Which cells a process serves: it opens those that were added, and tries those again that it could not open. */

export type Stop = () => Promise<void>;
type ApplyPayment = (event: JsonObject) => Promise<void>;

/** What a service works on. */
export interface CellPlace {
  readonly rt: Runtime;
  readonly db: OpenDatabase;
  readonly history: HistoryKeeper;
  /** Makes of what stores callbacks here what stores them wherever they belong. */
  readonly recordWith?: (own: CallbackRecorder) => CellRecorder;
  /** The same for events of the payment gateway. */
  readonly applyWith?: (own: ApplyPayment) => ApplyPayment;
  readonly cellReport?: CellReport;
}

/** A service that runs and does not listen itself. What must stop stands in the order in which it does. */
export interface StartedCell {
  readonly app: FastifyInstance | null;
  readonly metricsApp: FastifyInstance | null;
  readonly recorder: CallbackRecorder;
  readonly applyPayment: ApplyPayment;
  readonly endWaits: readonly Stop[];
  readonly stopEntrances: readonly Stop[];
  readonly stopWork: readonly Stop[];
}

/** A cell that was added, as this process serves it. */
export interface Served extends StartedCell {
  readonly cellId: string;
  readonly db: OpenDatabase;
  readonly rt: Runtime;
  readonly addedMs: number;
}

export interface ServingDeps {
  /** Of the main cell. */
  readonly rt: Runtime;
  readonly db: OpenDatabase;
  readonly migrations: readonly Migration[];
  readonly start: (place: CellPlace) => Promise<StartedCell>;
}

export interface ServedCells extends Pick<CellList, 'open' | 'missing'> {
  /** Those that were added, by their ids. */
  readonly served: ReadonlyMap<string, Served>;
  /** The ids of those that could not be opened or did not answer when they were last asked. */
  away(): readonly string[];
  /** Opens the cells that were added. Each call waits for a look that starts after the call. */
  look(): Promise<void>;
  /** Asks each whether it is there, and tries again to open those that were not. */
  check(): Promise<void>;
}

export function makeServedCells(deps: ServingDeps): ServedCells {
  const { rt, db } = deps;
  const served = new Map<string, Served>();
  const failing = new Map<string, Cell>();
  const unhealthy = new Set<string>();
  const open = openCells(db, served);
  const isAlone = () => served.size + failing.size === 0;
  const openOne = async (cell: Cell): Promise<void> => {
    try {
      served.set(cell.cellId, await startServing(deps, cell));
      failing.delete(cell.cellId);
      rt.log.info({ cell: cell.cellId }, 'cell.served');
    } catch (error) {
      failing.set(cell.cellId, cell);
      rt.log.error({ cell: cell.cellId, error: (error as Error).message }, 'cell.not_opened');
    }
  };
  return {
    served,
    open,
    missing: () => [...failing.keys()],
    away: () => (isAlone() ? [] : [...new Set([...unhealthy, ...failing.keys()])].sort()),
    look: inTurns(async () => {
      if (!(await hasDirectory(db))) return;
      const added = (await listAddedCells(db)).filter(({ cellId }) => !served.has(cellId) && !failing.has(cellId));
      await Promise.all(added.map(openOne));
    }),
    check: async () => {
      if (isAlone()) return;
      const checks = open().map(async ({ cellId, db: cellDb }) => {
        const { ok } = await checkHealth(cellDb);
        if (ok) unhealthy.delete(cellId);
        else unhealthy.add(cellId);
      });
      await Promise.all([...checks, ...[...failing.values()].map(openOne)]);
    },
  };
}

/** In the order in which they were added; the same objects as long as a cell is served: what asks them remembers what it asked. */
function openCells(db: OpenDatabase, served: ReadonlyMap<string, Served>): CellList['open'] {
  const own = { cellId: MAIN_CELL, db };
  return () => [own, ...[...served.values()].sort((one, other) => one.addedMs - other.addedMs)];
}

async function startServing({ rt: main, migrations, start }: ServingDeps, cell: Cell): Promise<Served> {
  const { rt, db } = await openCellDatabase(main, cell);
  try {
    await prepareDatabase(rt, db, migrations);
    const history = makeHistoryKeeper(rt, db, cellFolder(rt, cell.cellId));
    await history.open();
    await openConnections(rt, db);
    const started = await start({ rt, db, history });
    await started.app?.ready();
    return { ...started, cellId: cell.cellId, addedMs: cell.addedMs, db, rt };
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

/** Each call waits for a run that starts after the call, and so sees what was written just before. */
function inTurns(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = null;
        const running = run();
        current = running;
        return running;
      });
    return next;
  };
}
