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
 * So could one that opens conversations for what customers wrote, and then for what the business did. Calls are all of this, but of
 * people whom the transaction holds.
 */
export function inGroups<Callback extends WithItems>(callbacks: readonly Callback[]): CallbackGroups<Callback> {
  const groups: Record<Group, Callback[]> = { plain: [], echo: [], change: [], call: [] };
  for (const callback of callbacks) groups[groupOf(callback)].push(callback);
  const { plain, echo, change, call } = groups;
  return { plain, apart: [echo, change, call] };
}

type Group = 'plain' | 'echo' | 'change' | 'call';

function groupOf({ items }: WithItems): Group {
  const has = (...wanted: readonly CallbackItem['kind'][]) => items.some(({ kind }) => wanted.includes(kind));
  if (has('call')) return 'call';
  if (has('change', 'echo_change')) return 'change';
  return has('echo') ? 'echo' : 'plain';
}
