import type { ListWindow, Page } from '#core/paging';

/** The network's ids are numbers that grow. Written with as many digits as a cursor holds, they are in order. */
export function numberedId(networkId: string): string {
  return networkId.padStart(32, '0');
}

/** A page of a list that the network keeps and that was read as a whole: the highest id first. */
export function pageOfNumbered<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  { limit, offset, beforeId }: ListWindow,
): Page<T> {
  const before = beforeId === null ? null : beforeId.replaceAll('-', '');
  const sorted = items.toSorted((one, other) => (numberedId(idOf(one)) < numberedId(idOf(other)) ? 1 : -1));
  const rest = before === null ? sorted.slice(offset) : sorted.filter((item) => numberedId(idOf(item)) < before);
  return { items: rest.slice(0, limit), hasMore: rest.length > limit };
}
