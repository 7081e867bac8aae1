import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { applyOverCells } from '#cells/actions/apply-over-cells';
import { openCellDatabase } from '#cells/actions/cell-database';
import { type CellList, type CellLocator, makeCellLocator } from '#cells/actions/cell-locator';
import { mendMoves } from '#cells/actions/mend-moves';
import { type CellRecorder, recordOverCells } from '#cells/actions/record-over-cells';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { type CellListener, installFrontDoor } from '#cells/http/front-door';
import { hasDirectory, listAddedCells } from '#cells/store/directory';
import { listMoves } from '#cells/store/moves';
import { carryChallenge } from '#cells/store/residents';
import type { JsonObject } from '#core/json';
import type { Database, OpenDatabase } from '#database/database';
import { checkHealth } from '#database/health';
import type { Migration } from '#database/migration-file';
import type { CellReport } from '#http/deps';
import { requestIdMaker } from '#http/plugins/request-id';
import type { CallbackRecorder } from '#inbound/actions/record-callback';
import { type HistoryKeeper, makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { openConnections, prepareDatabase } from '#maintenance/actions/open-database';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';

/*
 * Hosts the cells of an installation in one process: each is a whole service on a schema of its own, with its own caches, loops and
 * routes. What nothing of them knows is here and in `cells/`: in which cell a caller lives.
 */

type Stop = () => Promise<void>;
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

/** How soon a process serves a cell that was added, once nobody asks for somebody in it. */
const LOOK_MS = 1_000;
/** How often a process asks each cell whether it is there, and tries again to open those that were not. */
const CHECK_MS = 5_000;

export interface Served extends StartedCell {
  readonly cellId: string;
  readonly db: OpenDatabase;
  readonly rt: Runtime;
  readonly addedMs: number;
}

/** What a cell does for others, the main one too. */
type Doing = Pick<Served, 'db' | 'recorder' | 'applyPayment'>;

interface HostDeps {
  /** Of the main cell. */
  readonly rt: Runtime;
  readonly db: OpenDatabase;
  readonly migrations: readonly Migration[];
  readonly start: (place: CellPlace) => Promise<StartedCell>;
}

/** The cells of this process. */
export interface CellHost {
  /** For the service of the main cell, which is the first at the door. */
  readonly entrances: Required<Pick<CellPlace, 'recordWith' | 'applyWith' | 'cellReport'>>;
  readonly locator: CellLocator;
  /** For the operator commands that reach this process. */
  readonly forOperators: Pick<CellList, 'refresh' | 'missing'> & { served(): readonly Served[] };
  /** Opens the cells that there are, and puts the front door before the routes of the main one. */
  open(main: StartedCell): Promise<void>;
  endWaits(): Promise<void>;
  close(): Promise<void>;
}

export function makeCellHost(deps: HostDeps): CellHost {
  const { rt, db } = deps;
  const served = new Map<string, Served>();
  const failing = new Map<string, Cell>();
  const unhealthy = new Set<string>();
  const main: { started: StartedCell | null } = { started: null };
  const all = (): ReadonlyMap<string, Doing> => {
    const own: readonly (readonly [string, Doing])[] = main.started ? [[MAIN_CELL, { ...main.started, db }]] : [];
    return new Map<string, Doing>([...own, ...served]);
  };
  const opened = makeOpened({ db, served });
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
  const look = inTurns(async () => {
    if (!(await hasDirectory(db))) return;
    const added = (await listAddedCells(db)).filter(({ cellId }) => !served.has(cellId) && !failing.has(cellId));
    await Promise.all(added.map(openOne));
  });
  const check = async () => {
    if (served.size + failing.size === 0) return;
    const checks = [...all()].map(async ([cellId, { db: cellDb }]) => {
      const { ok } = await checkHealth(cellDb);
      if (ok) unhealthy.delete(cellId);
      else unhealthy.add(cellId);
    });
    await Promise.all([...checks, ...[...failing.values()].map(openOne)]);
  };
  const cells: CellList = {
    open: opened,
    missing: () => [...failing.keys()],
    refresh: () => look().catch(() => undefined),
  };
  const locator = makeCellLocator(rt, db, cells);
  const moves = watchMoves({ rt, db, opened, locator });
  const loops = [
    new Loop(rt, LOOK_MS, 'cells', () => look().then(moves.look)),
    new Loop(rt, CHECK_MS, 'cells_health', () => check().then(moves.mend)),
  ];
  return {
    locator,
    forOperators: { refresh: cells.refresh, missing: cells.missing, served: () => [...served.values()] },
    entrances: {
      recordWith: (own) =>
        recordOverCells(own, {
          locator,
          recorders: () => mapOf(all(), ({ recorder }) => recorder),
        }),
      applyWith: (own) =>
        applyOverCells(own, {
          locator,
          applies: () => mapOf(all(), ({ applyPayment }) => applyPayment),
          missing: cells.missing,
        }),
      cellReport: {
        away: () => (served.size + failing.size === 0 ? [] : [...new Set([...unhealthy, ...failing.keys()])].sort()),
        isAlone: () => served.size === 0,
        metrics: () => [...served.values()].map(({ cellId, rt: own }) => ({ cellId, metrics: own.metrics })),
      },
    },
    open: async (started) => {
      main.started = started;
      await look();
      if (started.app) putDoorBefore({ rt, db, locator, served }, started.app);
      for (const loop of loops) loop.start('later');
    },
    endWaits: () =>
      inOrder(
        rt,
        [...served.values()].flatMap(({ endWaits }) => endWaits),
      ),
    close: async () => {
      for (const loop of loops) await loop.stop();
      await Promise.all(
        [...served.values()].map((cell) =>
          inOrder(rt, [...cell.stopEntrances, ...cell.stopWork, () => cell.db.close()]),
        ),
      );
    },
  };
}

interface Watching extends Pick<HostDeps, 'rt' | 'db'> {
  readonly opened: CellList['open'];
  readonly locator: CellLocator;
}

/** Notices where tenants move, so that nobody is sent to their old cell, and makes those work again whose move was interrupted. */
function watchMoves({ rt, db, opened, locator }: Watching) {
  let seen = '[]';
  const mend = async () => {
    if (opened().length > 1) await mendMoves({ rt, directory: db, open: opened() });
  };
  const look = async () => {
    if (opened().length === 1) return;
    const moves = await listMoves(db);
    const now = JSON.stringify(moves.map(({ tenantId, step, toCell }) => [tenantId, step, toCell]));
    if (now !== seen) locator.forget();
    seen = now;
    if (moves.length > 0) await mend();
  };
  return { look, mend };
}

/** In the order in which they were added; the same objects as long as a cell is served: what asks them remembers what it asked. */
function makeOpened({ db, served }: { readonly db: Database; readonly served: ReadonlyMap<string, Served> }) {
  const own = { cellId: MAIN_CELL, db };
  return () => [own, ...[...served.values()].sort((one, other) => one.addedMs - other.addedMs)];
}

function putDoorBefore(
  {
    rt,
    db,
    locator,
    served,
  }: Pick<HostDeps, 'rt' | 'db'> & {
    readonly locator: CellLocator;
    readonly served: ReadonlyMap<string, Served>;
  },
  { server }: FastifyInstance,
): void {
  const listeners = () =>
    new Map([...served].flatMap(([cellId, { app }]) => (app ? [[cellId, app.routing as CellListener] as const] : [])));
  installFrontDoor(server, {
    locator,
    listeners,
    requestId: requestIdMaker(rt.random),
    carryChallenge: async (challengeHash, cellId) => {
      const to = served.get(cellId)?.db;
      if (to) await carryChallenge(db, to, challengeHash);
    },
  });
}

async function startServing({ rt: main, migrations, start }: HostDeps, cell: Cell): Promise<Served> {
  const { rt, db } = await openCellDatabase(main, cell);
  try {
    await prepareDatabase(rt, db, migrations);
    const history = makeHistoryKeeper(rt, db, join(rt.config.dataDir, 'cells', cell.cellId));
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

/** Whoever asks gets a run that began afterwards: what has just been written is seen. */
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

function mapOf<Value, Result>(
  values: ReadonlyMap<string, Value>,
  toResult: (value: Value) => Result,
): ReadonlyMap<string, Result> {
  return new Map([...values].map(([name, value]) => [name, toResult(value)]));
}

async function inOrder(rt: Runtime, stops: readonly Stop[]): Promise<void> {
  for (const stop of stops) {
    await stop().catch((error: Error) => rt.log.warn({ error: error.message }, 'service.stop_failed'));
  }
}
