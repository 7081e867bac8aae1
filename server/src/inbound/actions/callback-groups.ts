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
  /** What was before the API, which may be much: each is several transactions. */
  readonly past: readonly Callback[];
}

/**
 * Messages are locked before the conversations that show them, and new ones after: one transaction of both could wait in a circle.
 * So could one that opens conversations for what customers wrote, and then for what the business did. Calls are all of this, but of
 * people whom the transaction holds.
 */
export function inGroups<Callback extends WithItems>(callbacks: readonly Callback[]): CallbackGroups<Callback> {
  const groups: Record<Group, Callback[]> = { plain: [], echo: [], change: [], call: [], past: [] };
  for (const callback of callbacks) groups[groupOf(callback)].push(callback);
  const { plain, echo, change, call, past } = groups;
  return { plain, apart: [echo, change, call], past };
}

type Group = 'plain' | 'echo' | 'change' | 'call' | 'past';

function groupOf({ items }: WithItems): Group {
  const has = (...wanted: readonly CallbackItem['kind'][]) => items.some(({ kind }) => wanted.includes(kind));
  if (isOfThePast({ items })) return 'past';
  if (has('call')) return 'call';
  if (has('change', 'echo_change')) return 'change';
  return has('echo') ? 'echo' : 'plain';
}

const PAST_KINDS: ReadonlySet<CallbackItem['kind']> = new Set(['book', 'past']);

/** Whether it reports what was before the API. */
export function isOfThePast({ items }: WithItems): boolean {
  return items.some(({ kind }) => PAST_KINDS.has(kind));
}

/** Items of one transaction: long enough to be cheap, short enough not to hold contacts for long. */
const AT_ONCE = 500;

/** What of a callback about the past is stored before the rest, in portions; the rest has a portion too. */
export function aheadOf<Callback extends WithItems>(
  callback: Callback,
): { readonly ahead: readonly (readonly CallbackItem[])[]; readonly rest: Callback } {
  const past = callback.items.filter(({ kind }) => PAST_KINDS.has(kind));
  const count = Math.max(0, Math.ceil(past.length / AT_ONCE) - 1);
  const ahead = Array.from({ length: count }, (_, index) => past.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
  const stored = new Set(ahead.flat());
  return { ahead, rest: { ...callback, items: callback.items.filter((item) => !stored.has(item)) } };
}
