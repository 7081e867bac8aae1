import type { UnassignStep } from '#agents/actions/manage-agents';
import { lockConversationsOfAgent } from '#agents/store/agents';
import { deleteDraftsOf } from '#conversations/store/drafts';
import { removeViewsOf } from '#conversations/store/saved-views';
import type { AgentId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import { updateConversation } from './change-conversation.ts';

/** Conversations that one transaction takes from an agent who is deleted: each is an event. */
const AT_ONCE = 200;

/** Locks the conversations before the agent, as every change of a conversation does. */
export const unassignAgent: UnassignStep = (rt, db, { tenantId, agentId, origin }) =>
  withEvents(rt, db, async (tx, events) => {
    const ids = await lockConversationsOfAgent(tx, tenantId, agentId, AT_ONCE);
    const actor = { kind: 'key', id: origin.keyId } as const;
    for (const conversationId of ids) {
      const change = { assigneeId: null };
      await updateConversation(rt, tx, events, { tenantId, conversationId, actor, cause: 'agent_deleted', change });
    }
    if (ids.length === AT_ONCE) return true;
    await deleteDraftsOf(tx, tenantId, agentId as AgentId);
    await removeViewsOf(tx, tenantId, agentId as AgentId);
    return false;
  });
