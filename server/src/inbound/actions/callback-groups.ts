import type { CallbackItem } from '#inbound/domain/callback-items';

interface WithItems {
  readonly items: readonly CallbackItem[];
}

/** Callbacks in the order in which their transactions are made. */
export interface CallbackGroups<Callback> {
  /** Most of them. */
  readonly plain: readonly Callback[];
  /** Each is a transaction of its own. */
  readonly apart: readonly (readonly Callback[])[];
}

/**
 * Messages are locked before the conversations that show them, and new ones after: one transaction of both could wait in a circle.
 * Calls are both, but of people whom the transaction holds.
 */
export function inGroups<Callback extends WithItems>(callbacks: readonly Callback[]): CallbackGroups<Callback> {
  const calling = callbacks.filter((callback) => holds(callback, 'call'));
  const changing = callbacks.filter((callback) => holds(callback, 'change') && !holds(callback, 'call'));
  const all = new Set([...calling, ...changing]);
  return {
    plain: all.size === 0 ? callbacks : callbacks.filter((callback) => !all.has(callback)),
    apart: [changing, calling],
  };
}

function holds({ items }: WithItems, wanted: CallbackItem['kind']): boolean {
  return items.some(({ kind }) => kind === wanted);
}
