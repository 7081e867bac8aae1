import { passFence } from '#cells/store/fence';
import {
  deleteRange,
  findTablesWithRows,
  insertMoved,
  type MovedTable,
  portionOf,
  type Range,
  type RowPortion,
  readPortion,
  readRangeContent,
  readVersion,
} from '#cells/store/moved-rows';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { isUniqueViolation } from '#database/pg-errors';

interface CopyDeps {
  readonly from: Database;
  readonly to: Database;
  readonly tenantId: TenantId;
  readonly tables: readonly MovedTable[];
  /** Asked before each portion is written. @throws when this copy must go no further */
  readonly require: () => void;
}

/** A range whose rows are in the other cell, in the versions in which they were read. */
interface CopiedRange extends Range {
  readonly rows: number;
  /** Null: they could not be written, or nothing is known of them. */
  readonly version: string | null;
}

const EVERYTHING: CopiedRange = { after: null, upto: null, rows: 0, version: null };

/** What a round has copied. */
export interface CopyRound {
  /** Rows in the other cell that are as they were in this one when they were looked at. */
  readonly rows: number;
  /** Rows that had to be written in this round. */
  readonly written: number;
}

/**
 * Copies the rows of a tenant into another cell in rounds, each of which copies what has changed since the one before. Which rows these are is seen from
 * the versions of the rows, range by range; whether they have arrived is seen from what they say, in both cells. A copy that was
 * interrupted goes on: what is there already is not written again.
 */
export class TenantCopy {
  readonly #deps: CopyDeps;
  readonly #copied = new Map<string, readonly CopiedRange[]>();
  #written = 0;

  constructor(deps: CopyDeps) {
    this.#deps = deps;
  }

  /**
   * @param atOnce how many tables are looked at at the same time
   * @param isLast nothing is written in the old cell any more: a range that cannot be copied is an error
   */
  async round({ atOnce, isLast }: { readonly atOnce: number; readonly isLast: boolean }): Promise<CopyRound> {
    this.#written = 0;
    await eachOf(await this.#tablesWithRows(), atOnce, (table) => this.#copyTable(table, isLast));
    const rows = [...this.#copied.values()].flat().reduce((total, range) => total + range.rows, 0);
    return { rows, written: this.#written };
  }

  /** Most tables have no row of a tenant: they cost one statement for all of them. */
  async #tablesWithRows(): Promise<readonly MovedTable[]> {
    const { from, to, tenantId, tables } = this.#deps;
    const names = tables.map(({ table }) => table);
    const [here, there] = await Promise.all([
      findTablesWithRows(from, names, tenantId),
      findTablesWithRows(to, names, tenantId),
    ]);
    return tables.filter(({ table }) => here.has(table) || there.has(table));
  }

  async #copyTable(table: MovedTable, isLast: boolean): Promise<void> {
    const known = this.#copied.get(table.table) ?? [EVERYTHING];
    const changed = new Set<CopiedRange>();
    for (const range of known) if (await this.#hasChanged(table, range)) changed.add(range);
    // A value that one row gave up for another may be in two ranges: none of the old rows is there when the new ones come.
    if (changed.size > 1 && isLast) for (const range of changed) await this.#clear(table, range);
    const copied: CopiedRange[] = [];
    for (const range of known) {
      if (changed.has(range)) copied.push(...(await this.#copyRange(table, range, isLast)));
      else copied.push(range);
    }
    this.#copied.set(table.table, copied);
  }

  async #hasChanged(table: MovedTable, { rows, version, ...range }: CopiedRange): Promise<boolean> {
    if (version === null) return true;
    const { from, tenantId } = this.#deps;
    const now = await readVersion(from, table, { tenantId, ...range });
    return now.rows !== rows || now.version !== version;
  }

  async #copyRange(table: MovedTable, { after, upto }: Range, isLast: boolean): Promise<readonly CopiedRange[]> {
    const { from, tenantId } = this.#deps;
    const copied: CopiedRange[] = [];
    for (let place = after; ; ) {
      const portion = await readPortion(from, table, { tenantId, after: place, upto });
      const isFull = portion.lines.length >= portionOf(table);
      const range = { after: place, upto: isFull ? portion.last : upto };
      const isWritten = await this.#put(table, range, { portion, isLast });
      copied.push({ ...range, rows: portion.lines.length, version: isWritten ? portion.version : null });
      if (!isFull) return copied;
      place = portion.last;
    }
  }

  async #put(
    table: MovedTable,
    range: Range,
    { portion, isLast }: { readonly portion: RowPortion; readonly isLast: boolean },
  ): Promise<boolean> {
    const { to, tenantId, require } = this.#deps;
    require();
    if (isSame(await readRangeContent(to, table, { tenantId, ...range }), portion)) return true;
    try {
      await to.transaction(async (tx) => {
        await passFence(tx, tenantId);
        await deleteRange(tx, table, { tenantId, ...range });
        await insertMoved(tx, table, portion.lines);
        const arrived = await readRangeContent(tx, table, { tenantId, ...range });
        if (!isSame(arrived, portion)) throw new Error(`The rows of ${table.table} differ in the other cell.`);
      });
    } catch (error) {
      // The rows were read at different times: a later round finds them in order.
      if (!isLast && isUniqueViolation(error)) return false;
      throw error;
    }
    this.#written += portion.lines.length;
    return true;
  }

  async #clear(table: MovedTable, range: Range): Promise<void> {
    const { to, tenantId, require } = this.#deps;
    require();
    await to.transaction(async (tx) => {
      await passFence(tx, tenantId);
      await deleteRange(tx, table, { tenantId, after: range.after, upto: range.upto });
    });
  }
}

function isSame(there: { readonly rows: number; readonly content: string }, { lines, content }: RowPortion): boolean {
  return there.rows === lines.length && there.content === content;
}

async function eachOf<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
