/** A span of ids of one kind. */
export interface SearchPortion {
  readonly portion: number;
  readonly firstId: string;
  readonly lastId: string;
  /** How many it took in. */
  readonly documents: number;
}

/**
 * So many are looked through at once. With fewer, a rare word of ten million messages is asked for in too many portions; with more,
 * a common one has to be sorted out of too many messages.
 */
export const PORTION_SIZE = 16_384;

export interface PortionPlacing {
  readonly portionOf: ReadonlyMap<string, number>;
  /** Those that are new or have changed. */
  readonly changed: readonly SearchPortion[];
}

/**
 * Finds portions for new ids. Portions never overlap, so that a search can go from one to the next: an id that comes late goes where it
 * belongs, even if that is full.
 * @param known the portions that the ids may belong to, and the oldest of all when there are ids before it; by their first id
 * @param next the number of the next new portion
 */
export function placeIds(
  known: readonly SearchPortion[],
  ids: readonly string[],
  next: number,
  size: number,
): PortionPlacing {
  const portions = known.map((one) => ({ ...one }));
  const changed = new Set<(typeof portions)[number]>();
  const portionOf = new Map<string, number>();
  let number = next;
  for (const id of ids.toSorted()) {
    const at = portions.findLastIndex(({ firstId }) => firstId <= id);
    const target = portions[Math.max(0, at)];
    const isRoom = target !== undefined && (target.documents < size || (at >= 0 && id <= target.lastId));
    if (isRoom) {
      target.firstId = id < target.firstId ? id : target.firstId;
      target.lastId = id > target.lastId ? id : target.lastId;
      target.documents += 1;
      changed.add(target);
      portionOf.set(id, target.portion);
      continue;
    }
    const opened = { portion: number, firstId: id, lastId: id, documents: 1 };
    number += 1;
    portions.splice(at + 1, 0, opened);
    changed.add(opened);
    portionOf.set(id, opened.portion);
  }
  return { portionOf, changed: [...changed] };
}
