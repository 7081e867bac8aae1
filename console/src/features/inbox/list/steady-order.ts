import { useCallback, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../live/model.ts';

/**
 * Rows that keep their places while the pointer is over them: a click must not hit another row than the one that was
 * aimed at. What is said in a row stays up to date; rows that are new wait until the pointer leaves.
 */
export function useSteadyOrder(newest: readonly Conversation[] | null, name: string) {
  const [isHeld, setHeld] = useState(false);
  const kept = useRef<{ readonly name: string; readonly ids: readonly string[] } | null>(null);
  const rows = useMemo(() => {
    const held = kept.current;
    const order = newest === null || !isHeld || held?.name !== name ? newest : inOrder(newest, held.ids);
    kept.current = order === null ? null : { name, ids: order.map(({ id }) => id) };
    return order;
  }, [newest, isHeld, name]);
  return {
    rows,
    waiting: newest === null || rows === null ? 0 : newest.length - rows.length,
    hold: useCallback(() => setHeld(true), []),
    release: useCallback(() => setHeld(false), []),
  };
}

/** The rows that were there in their old order, then those that were read further down, which move nothing. */
function inOrder(newest: readonly Conversation[], ids: readonly string[]): readonly Conversation[] {
  const byId = new Map(newest.map((one) => [one.id, one]));
  const known = new Set(ids);
  const below = newest.slice(newest.findLastIndex(({ id }) => known.has(id)) + 1);
  return [...ids.flatMap((id) => byId.get(id) ?? []), ...below];
}
