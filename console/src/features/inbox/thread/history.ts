/** What was changed about a conversation, in words. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLive } from '../../../app/live.tsx';
import { type Agent, type ConversationChange, historyQuery } from '../../../app/resources.ts';
import { t } from '../../../locales/text.ts';
import { actorName, agentName } from '../naming.ts';

/** The changes of a conversation, read again when an event says that there is one more. */
export function useHistory(conversationId: string): readonly ConversationChange[] {
  const live = useLive();
  const queries = useQueryClient();
  const { data = NONE } = useQuery(historyQuery(conversationId));
  useEffect(
    () =>
      live.onEvents((events) => {
        const isAboutIt = events.some(
          ({ type, data: about }) =>
            type.startsWith('conversation.') && (about as { id?: string }).id === conversationId,
        );
        if (isAboutIt) void queries.invalidateQueries({ queryKey: historyQuery(conversationId).queryKey });
      }),
    [live, queries, conversationId],
  );
  return data;
}

const NONE: readonly ConversationChange[] = [];

/** A sentence about a change; null: nobody has to read it in the thread. */
export function describeChange(change: ConversationChange, agents: readonly Agent[] | undefined): string | null {
  const { changes, actor, cause } = change;
  const who = actorName(agents, actor);
  const [, status] = changes.status ?? [];
  if (changes.status !== undefined && changes.status[0] !== null) {
    if (status === 'resolved') return t(cause === 'idle' ? 'change.idle' : 'change.resolved', { who });
    if (status === 'snoozed') return t('change.snoozed', { who });
    if (status === 'open')
      return t(
        cause === 'inbound' ? 'change.wroteAgain' : cause === 'snooze_over' ? 'change.woke' : 'change.reopened',
        { who },
      );
  }
  if (changes.assignee_id !== undefined) {
    const assignee = changes.assignee_id[1] as string | null;
    if (assignee === null) return t('change.unassigned', { who });
    if (assignee === actor.id) return t('change.taken', { who });
    return t('change.assigned', { who, name: agentName(agents, assignee) });
  }
  const [, priority] = changes.priority ?? [];
  if (priority === 'low' || priority === 'normal' || priority === 'high' || priority === 'urgent') {
    return t('change.priority', { who, priority: t(`priority.${priority}`) });
  }
  return null;
}
