/** How long an answer can be undone: kept for the person, on every device. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../api.ts';
import { useMe } from '../me.tsx';
import { type Me, meQuery } from '../resources.ts';

export const UNDO_SECONDS = [0, 5, 10] as const;
export type UndoSeconds = (typeof UNDO_SECONDS)[number];
const DEFAULT: UndoSeconds = 5;
const NAME = 'undo_seconds';

export function useUndoSeconds(): UndoSeconds {
  const kept = useMe().preferences[NAME];
  return UNDO_SECONDS.find((one) => one === kept) ?? DEFAULT;
}

/** Keeps another one. It counts from now on; where the service does not answer, until the page is loaded again. */
export function useSetUndoSeconds(): (seconds: UndoSeconds) => void {
  const queries = useQueryClient();
  return useCallback(
    (seconds) => {
      const me = queries.getQueryData(meQuery.queryKey);
      if (me === undefined) return;
      const preferences = { ...me.preferences, [NAME]: seconds };
      queries.setQueryData(meQuery.queryKey, { ...me, preferences } satisfies Me);
      void call('/v1/me', { method: 'PATCH', body: { preferences } }).catch(() => undefined);
    },
    [queries],
  );
}
