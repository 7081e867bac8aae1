/** Answers that programs and rules propose for a conversation. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { Known } from '../../live/known.ts';
import { call, refusalStatus } from '../api.ts';
import { useLive } from '../live.tsx';

export type Suggestion = Known<Pick<Sdk.Suggestion, 'id' | 'body' | 'author'>>;

const NONE: readonly Suggestion[] = [];
const MINUTE_MS = 60_000;

const suggestionsQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['suggestions', conversationId],
    queryFn: async ({ signal }) => {
      const path = `/v1/conversations/${conversationId}/suggestions`;
      return (await call<Known<Sdk.SuggestionList>>(path, { query: { open: true }, signal })).data;
    },
    // They expire without an event.
    refetchInterval: MINUTE_MS,
  });

export interface Suggestions {
  /** Newest first. */
  readonly open: readonly Suggestion[];
  /** Why the last decision failed, in a sentence; '': the service did not answer. */
  readonly fault: string | null;
  /** @returns the text that was taken over; null: it was not */
  readonly take: (id: string) => Promise<string | null>;
  readonly discard: (id: string) => void;
}

/** What can be taken over in a conversation, read again when an event says that it is something else. */
export function useSuggestions(conversationId: string): Suggestions {
  const live = useLive();
  const queries = useQueryClient();
  const [fault, setFault] = useState<string | null>(null);
  const { data: open = NONE } = useQuery(suggestionsQuery(conversationId));
  const reread = useCallback(
    () => void queries.invalidateQueries({ queryKey: suggestionsQuery(conversationId).queryKey }),
    [queries, conversationId],
  );
  useEffect(
    () =>
      live.onEvents((events) => {
        const isAboutIt = events.some(({ type, data }) => {
          const about = data as { conversation_id?: string };
          return type.startsWith('suggestion.') && about.conversation_id === conversationId;
        });
        if (isAboutIt) reread();
      }),
    [live, conversationId, reread],
  );
  const decide = useCallback(
    async (id: string, verb: 'take' | 'discard'): Promise<string | null> => {
      setFault(null);
      try {
        const idempotencyKey = crypto.randomUUID();
        return (await call<Suggestion>(`/v1/suggestions/${id}/${verb}`, { method: 'POST', idempotencyKey })).body;
      } catch (error) {
        setFault(refusalStatus(error) !== null && error instanceof Error ? error.message : '');
        return null;
      } finally {
        reread();
      }
    },
    [reread],
  );
  return {
    open,
    fault,
    take: useCallback((id: string) => decide(id, 'take'), [decide]),
    discard: useCallback((id: string) => void decide(id, 'discard'), [decide]),
  };
}
