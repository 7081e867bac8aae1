import type { NameKind } from '#cells/domain/cell';
import { findKept, type KeptKind, keepNames, keepTenants } from '#cells/store/directory';
import { findResidents, type Resident } from '#cells/store/residents';
import { isUuid } from '#core/ids';
import type { Database } from '#database/database';
import { GroupCommit, MAX_BATCH_ROWS } from '#database/group-commit';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/** A cell that this process serves. */
export interface OpenCell {
  readonly cellId: string;
  readonly db: Database;
}

/** The cells as this process knows them. */
export interface CellList {
  /** The main one first. */
  open(): readonly OpenCell[];
  /** Those that are in the directory and could not be opened. */
  missing(): readonly string[];
  /** Reads the directory, and opens what is new. */
  refresh(): Promise<void>;
}

/** What was asked for may live in a cell that cannot be reached. */
export class CellAway extends Error {
  override name = 'CellAway';
  readonly cellIds: readonly string[];

  constructor(cellIds: readonly string[], cause?: unknown) {
    super(`The cell ${cellIds.join(', ')} cannot be reached.`, { cause });
    this.cellIds = cellIds;
  }
}

/** Where a name was found is believed for this long. A name that no cell knows is looked for anew each time. */
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 50_000;
/** Names that wait to be looked up in a cell; beyond it the answer is 503. */
const MAX_LOOK_UPS = 10_000;
/** People and accounts can be known to several cells; everything else is in one. */
const MAY_BE_IN_SEVERAL: ReadonlySet<NameKind> = new Set(['email', 'account']);
const KEPT: ReadonlySet<NameKind> = new Set<KeptKind>(['key', 'number', 'tenant']);

export interface CellLocator {
  /**
   * The cells that know a name; empty: none does. Without a promise when it is remembered.
   * @throws CellAway, as a rejection, when no cell that can be reached knows it, and one cannot
   */
  locate(kind: NameKind, name: string): readonly string[] | Promise<readonly string[]>;
  /** Forgets what is remembered: somebody has moved. */
  forget(): void;
}

/** Finds cells by asking them, once. What it learns of tenants, keys and numbers it keeps in the directory. */
export function makeCellLocator(rt: Runtime, directory: Database, cells: CellList): CellLocator {
  const look = makeLookUps(directory);
  const search = async (kind: NameKind, name: string): Promise<readonly string[]> => {
    const kept = await keptCell(look, kind, name);
    const home = kept === null ? undefined : cells.open().find(({ cellId }) => cellId === kept);
    if (kept !== null && home === undefined && cells.missing().includes(kept)) throw new CellAway([kept]);
    if (home !== undefined && (await knows(look, home, { kind, name })) !== null) return [home.cellId];
    const found = await askAll(look, cells, { kind, name, but: home });
    return settled({ rt, directory, look }, { kind, found });
  };
  const fresh = () => {
    const options = { clock: rt.clock, maxAgeMs: REMEMBER_MS, maxEntries: MAX_REMEMBERED };
    return new TtlCache<readonly string[]>({
      ...options,
      read: async (key) => {
        const at = key.indexOf(' ');
        const found = await search(key.slice(0, at) as NameKind, key.slice(at + 1));
        if (found.length === 0) throw new NotFound();
        return found;
      },
    });
  };
  let remembered = fresh();
  return {
    locate: (kind, name) => {
      if (kind === 'tenant' && !isUuid(name)) return [];
      const found = remembered.of(`${kind} ${name}`);
      return found instanceof Promise ? found.catch(nobody) : found;
    },
    forget: () => {
      remembered = fresh();
    },
  };
}

/** Not remembered, as an answer would be: the key may be made in the next moment. */
class NotFound extends Error {
  override name = 'NotFound';
}

function nobody(error: unknown): readonly string[] {
  if (error instanceof NotFound) return [];
  throw error;
}

interface Found {
  readonly cellId: string;
  readonly resident: Resident;
}

interface Asked {
  readonly kind: NameKind;
  readonly name: string;
}

interface LookUps {
  inCell(cell: OpenCell, asked: Asked): Promise<Resident | null>;
  inDirectory(kind: KeptKind, name: string): Promise<string | null>;
}

/** Names that arrive while a statement runs are looked up together by the next one, for each cell and kind. */
function makeLookUps(directory: Database): LookUps {
  const ofCells = new WeakMap<OpenCell, Map<NameKind, GroupCommit<string, Resident | null>>>();
  const ofDirectory = new Map<KeptKind, GroupCommit<string, string | null>>();
  const commits = <Row extends { readonly name: string }, Result>(
    read: (names: readonly string[]) => Promise<readonly Row[]>,
    toResult: (row: Row) => Result,
  ) =>
    new GroupCommit<string, Result | null>({
      name: 'cell_look_ups',
      maxBatch: MAX_BATCH_ROWS,
      maxQueued: MAX_LOOK_UPS,
      maxInFlight: 1,
      write: async (names) => {
        const byName = new Map((await read([...new Set(names)])).map((row) => [row.name, row]));
        return names.map((name) => {
          const row = byName.get(name);
          return row === undefined ? null : toResult(row);
        });
      },
    });
  return {
    inCell: (cell, { kind, name }) => {
      const ofKinds = ofCells.get(cell) ?? new Map();
      ofCells.set(cell, ofKinds);
      const known =
        ofKinds.get(kind) ??
        commits(
          (names) => findResidents(cell.db, kind, names),
          (row) => row,
        );
      ofKinds.set(kind, known);
      return known.add(name);
    },
    inDirectory: (kind, name) => {
      const known =
        ofDirectory.get(kind) ??
        commits(
          (names) => findKept(directory, kind, names),
          (row) => row.cellId,
        );
      ofDirectory.set(kind, known);
      return known.add(name);
    },
  };
}

/** Null also while the directory is away: then the cells are asked. */
async function keptCell(look: LookUps, kind: NameKind, name: string): Promise<string | null> {
  return KEPT.has(kind) ? look.inDirectory(kind as KeptKind, name).catch(() => null) : null;
}

/** @throws CellAway */
async function knows(look: LookUps, cell: OpenCell, asked: Asked): Promise<Resident | null> {
  try {
    return await look.inCell(cell, asked);
  } catch (error) {
    throw new CellAway([cell.cellId], error);
  }
}

/**
 * Asks every cell at the same time, and waits for those that do not answer only while none has said yes. Before it concludes that nobody
 * knows a name, it looks whether a cell was added.
 * @throws CellAway
 */
async function askAll(
  look: LookUps,
  cells: CellList,
  { but, ...asked }: Asked & { readonly but: OpenCell | undefined },
): Promise<readonly Found[]> {
  const asks = new Set(cells.open().filter((cell) => cell !== but));
  const found = await askEach(look, asks, asked);
  if (found.length > 0) return found;
  await cells.refresh();
  const later = new Set(cells.open().filter((cell) => cell !== but && !asks.has(cell)));
  const foundLater = await askEach(look, later, asked);
  if (foundLater.length === 0 && cells.missing().length > 0) throw new CellAway(cells.missing());
  return foundLater;
}

async function askEach(look: LookUps, cells: ReadonlySet<OpenCell>, asked: Asked): Promise<readonly Found[]> {
  const answers = [...cells].map(async (cell): Promise<Found | null> => {
    const resident = await knows(look, cell, asked);
    return resident === null ? null : { cellId: cell.cellId, resident };
  });
  if (!MAY_BE_IN_SEVERAL.has(asked.kind)) {
    const yes = await firstYes(answers);
    if (yes !== null) return [yes];
  }
  const settledAnswers = await Promise.allSettled(answers);
  const found = settledAnswers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value ? [answer.value] : [],
  );
  const away = settledAnswers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as CellAway] : []));
  if (found.length === 0 && away.length > 0)
    throw new CellAway(
      away.flatMap(({ cellIds }) => cellIds),
      away[0]?.cause,
    );
  return found;
}

/** Null when all have answered, or failed, and none said yes. */
function firstYes(answers: readonly Promise<Found | null>[]): Promise<Found | null> {
  const yes = answers.map(async (answer) => {
    const found = await answer;
    if (found === null) throw new NotFound();
    return found;
  });
  return Promise.any(yes).catch(() => null);
}

interface Settling {
  readonly rt: Runtime;
  readonly directory: Database;
  readonly look: LookUps;
}

/**
 * The cells that count: a tenant whose rows are in two of them, because it has just moved, lives where the directory says. What was found
 * is kept, which may fail: then it is asked for again.
 */
async function settled(
  { rt, directory, look }: Settling,
  { kind, found }: { readonly kind: NameKind; readonly found: readonly Found[] },
): Promise<readonly string[]> {
  const [first] = found;
  const tenantId = first?.resident.tenantId ?? null;
  if (first === undefined || tenantId === null || MAY_BE_IN_SEVERAL.has(kind)) return found.map(({ cellId }) => cellId);
  const { name } = first.resident;
  try {
    await keepTenants(directory, [{ tenantId, cellId: first.cellId }]);
    if (kind === 'key' || kind === 'number') await keepNames(directory, kind, [{ name, tenantId }]);
    return [(await look.inDirectory('tenant', tenantId)) ?? first.cellId];
  } catch (error) {
    rt.log.warn({ kind, error: (error as Error).message }, 'cells.not_kept');
    return [first.cellId];
  }
}
