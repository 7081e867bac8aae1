import { MAIN_CELL } from '#cells/domain/cell';
import { type CallbackPart, callbackOf, partsOfCallback } from '#cells/domain/split-callback';
import { type JsonValue, parseSafeJson } from '#core/json';
import type { CallbackRecorder } from '#inbound/actions/record-callback';
import { CellAway, type CellLocator } from './cell-locator.ts';

/** Stores callbacks in one cell. */
export type CellRecorder = Pick<CallbackRecorder, 'record' | 'refused'>;

interface CallbackCells {
  /** By the ids of the cells that this process serves; the main one is always there. */
  readonly recorders: () => ReadonlyMap<string, CellRecorder>;
  readonly locator: CellLocator;
}

/**
 * Stores each callback in the cells that it is about: as it came when it is about one, else in each with the changes that concern it. What
 * is about nobody is stored in the main one. A callback that could not be stored everywhere is refused, and comes again: what was
 * stored of it counts once.
 */
export function recordOverCells(own: CellRecorder, { recorders, locator }: CallbackCells): CellRecorder {
  const recorderOf = (cellId: string): CellRecorder => {
    const found = recorders().get(cellId);
    if (found === undefined) throw new CellAway([cellId]);
    return found;
  };
  return {
    record: async (body) => {
      // Without another cell nothing is read of it.
      if (recorders().size === 1) return own.record(body);
      const parsed = parsedOrNull(body);
      const parts = parsed === null ? null : partsOfCallback(parsed);
      if (parsed === null || parts === null) return own.record(body);
      const byCell = await groupByCell(locator, parts);
      const [only] = byCell.size === 1 ? byCell.keys() : [];
      if (only !== undefined) return recorderOf(only).record(body);
      const stored = [...byCell].map(async ([cellId, own]) =>
        recorderOf(cellId).record(Buffer.from(JSON.stringify(callbackOf(parsed, own)))),
      );
      const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
    // A message of any cell may lack the status that was refused.
    refused: () => {
      for (const recorder of recorders().values()) recorder.refused();
    },
  };
}

function parsedOrNull(body: Buffer): JsonValue {
  try {
    return parseSafeJson(body.toString('utf8'));
  } catch {
    return null;
  }
}

async function groupByCell(
  locator: CellLocator,
  parts: readonly CallbackPart[],
): Promise<ReadonlyMap<string, readonly CallbackPart[]>> {
  const byCell = new Map<string, CallbackPart[]>();
  for (const part of parts) {
    const found = part.about === null ? [] : await locator.locate(part.about.kind, part.about.name);
    for (const cellId of found.length === 0 ? [MAIN_CELL] : found)
      byCell.set(cellId, [...(byCell.get(cellId) ?? []), part]);
  }
  return byCell;
}
