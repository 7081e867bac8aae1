import type { FastifyInstance } from 'fastify';
import { applyOverCells } from '#cells/actions/apply-over-cells';
import { type CellList, type CellLocator, makeCellLocator } from '#cells/actions/cell-locator';
import { mendMoves } from '#cells/actions/mend-moves';
import { recordOverCells } from '#cells/actions/record-over-cells';
import { MAIN_CELL } from '#cells/domain/cell';
import { type CellListener, installFrontDoor } from '#cells/http/front-door';
import { listMoves } from '#cells/store/moves';
import { carryChallenge } from '#cells/store/residents';
import { requestIdMaker } from '#http/plugins/request-id';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import {
  type CellPlace,
  makeServedCells,
  type Served,
  type ServedCells,
  type ServingDeps,
  type StartedCell,
  type Stop,
} from './served-cells.ts';

/*
 * Hosts the cells of an installation in one process: each is a whole service on a schema of its own, with its own caches, loops and
 * routes. What nothing of them knows is here and in `cells/`: in which cell a caller lives.
 */

/** How soon a process serves a cell that was added, once nobody asks for somebody in it. */
const LOOK_MS = 1_000;
/** How often a process asks each cell whether it is there, and tries again to open those that were not. */
const CHECK_MS = 5_000;

/** What a cell does for others, the main one too. */
type Doing = Pick<Served, 'recorder' | 'applyPayment'>;

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

export function makeCellHost(deps: ServingDeps): CellHost {
  const { rt, db } = deps;
  const cells = makeServedCells(deps);
  const { served, missing } = cells;
  const refresh = () => cells.look().catch(() => undefined);
  const locator = makeCellLocator(rt, db, { open: cells.open, missing, refresh });
  const moves = watchMoves({ rt, db, opened: cells.open, locator });
  const loops = [
    new Loop(rt, LOOK_MS, 'cells', () => cells.look().then(moves.look)),
    new Loop(rt, CHECK_MS, 'cells_health', () => cells.check().then(moves.mend)),
  ];
  const main: { started: StartedCell | null } = { started: null };
  return {
    locator,
    forOperators: { refresh, missing, served: () => [...served.values()] },
    entrances: makeCellEntrances(cells, locator, () => main.started),
    open: async (started) => {
      main.started = started;
      await cells.look();
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

/** What arrives at the main cell and may belong to another. @param main the main cell; null while it starts */
function makeCellEntrances(
  { served, missing, away }: ServedCells,
  locator: CellLocator,
  main: () => StartedCell | null,
): CellHost['entrances'] {
  const each = <Result>(of: (cell: Doing) => Result): ReadonlyMap<string, Result> => {
    const own = main();
    const all: readonly (readonly [string, Doing])[] = [...(own ? [[MAIN_CELL, own] as const] : []), ...served];
    return new Map(all.map(([cellId, cell]) => [cellId, of(cell)]));
  };
  return {
    recordWith: (own) => recordOverCells(own, { locator, recorders: () => each(({ recorder }) => recorder) }),
    applyWith: (own) =>
      applyOverCells(own, { locator, applies: () => each(({ applyPayment }) => applyPayment), missing }),
    cellReport: {
      away,
      isAlone: () => served.size === 0,
      metrics: () => [...served.values()].map(({ cellId, rt }) => ({ cellId, metrics: rt.metrics })),
    },
  };
}

interface Watching extends Pick<ServingDeps, 'rt' | 'db'> {
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

interface Door extends Pick<ServingDeps, 'rt' | 'db'>, Pick<ServedCells, 'served'> {
  readonly locator: CellLocator;
}

function putDoorBefore({ rt, db, locator, served }: Door, { server }: FastifyInstance): void {
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

async function inOrder(rt: Runtime, stops: readonly Stop[]): Promise<void> {
  for (const stop of stops) {
    await stop().catch((error: Error) => rt.log.warn({ error: error.message }, 'service.stop_failed'));
  }
}
