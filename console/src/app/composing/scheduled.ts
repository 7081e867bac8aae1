/** Answers that wait for their time. */
import type { OutboundMessageList } from '@postrider/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Known } from '../../live/known.ts';
import type { OutboundItem } from '../../live/model.ts';
import { call } from '../api.ts';
import { useLive } from '../live.tsx';

const MOST = 100;
const NONE: readonly OutboundItem[] = [];

export const scheduledQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['scheduled', conversationId],
    queryFn: async ({ signal }) => {
      const query = { conversation_id: conversationId, status: 'queued', limit: MOST };
      const { data } = await call<Known<OutboundMessageList>>('/v1/messages/outbound', { query, signal });
      const waiting = data.filter(({ send_at: at }) => at != null && Date.parse(at) > Date.now());
      return waiting.toSorted((left, right) => ((left.send_at ?? '') < (right.send_at ?? '') ? -1 : 1));
    },
  });

/** The scheduled answers of a conversation, the next one first; read again when a message of it moves on. */
export function useScheduled(conversationId: string): readonly OutboundItem[] {
  const live = useLive();
  const queries = useQueryClient();
  const { data = NONE } = useQuery(scheduledQuery(conversationId));
  useEffect(
    () =>
      live.onEvents((events) => {
        const isAboutIt = events.some(
          ({ type, data: about }) =>
            MOVES.has(type) && (about as { conversation_id?: string }).conversation_id === conversationId,
        );
        if (isAboutIt) void queries.invalidateQueries({ queryKey: scheduledQuery(conversationId).queryKey });
      }),
    [live, queries, conversationId],
  );
  return data;
}

const MOVES: ReadonlySet<string> = new Set(['message.queued', 'message.sent', 'message.failed', 'message.canceled']);

/** @throws PostriderError when it is being sent already */
export async function cancelScheduled(messageId: string): Promise<void> {
  await call(`/v1/messages/${messageId}/cancel`, { method: 'POST' });
}
