import { useCallback, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../live/model.ts';

interface Order {
  readonly name: string;
  readonly ids: readonly string[];
}

const NONE: readonly string[] = [];

/**
 * Rows that keep their places while the pointer is over them: a click must not hit another row than the one that was
 * aimed at. What is said in a row stays up to date; rows that are new wait until the pointer leaves. `ids` is the same
 * array as long as the order is the same.
 */
export function useSteadyOrder(newest: readonly Conversation[] | null, name: string) {
  const [isHeld, setHeld] = useState(false);
  const kept = useRef<Order | null>(null);
  const rows = useMemo(() => {
    const held = kept.current;
    const order = newest === null || !isHeld || held?.name !== name ? newest : inOrder(newest, held.ids);
    kept.current = order === null ? null : orderOf(name, order, held);
    return order;
  }, [newest, isHeld, name]);
  return {
    rows,
    ids: kept.current?.ids ?? NONE,
    waiting: newest === null || rows === null ? 0 : newest.length - rows.length,
    hold: useCallback(() => setHeld(true), []),
    release: useCallback(() => setHeld(false), []),
  };
}

function orderOf(name: string, rows: readonly Conversation[], before: Order | null): Order {
  const isSame = before?.name === name && before.ids.length === rows.length;
  if (isSame && rows.every(({ id }, place) => id === before.ids[place])) return before;
  return { name, ids: rows.map(({ id }) => id) };
}

/** The rows that were there in their old order, then those that were read further down, which move nothing. */
function inOrder(newest: readonly Conversation[], ids: readonly string[]): readonly Conversation[] {
  const byId = new Map(newest.map((one) => [one.id, one]));
  const known = new Set(ids);
  const below = newest.slice(newest.findLastIndex(({ id }) => known.has(id)) + 1);
  return [...ids.flatMap((id) => byId.get(id) ?? []), ...below];
}
