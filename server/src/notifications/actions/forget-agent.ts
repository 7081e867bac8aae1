import type { UnassignStep } from '#agents/actions/manage-agents';
import { unassignAgent } from '#conversations/actions/unassign-agent';
import type { AgentId } from '#core/ids';
import { deleteNotificationsOf } from '#notifications/store/notifications';
import { deleteSubscriptionsOf } from '#notifications/store/push-subscriptions';

/** Takes an agent who is deleted from its conversations, and forgets what it was notified of, and where. */
export const forgetAgent: UnassignStep = async (rt, db, agent) => {
  await deleteNotificationsOf(db, agent.tenantId, agent.agentId as AgentId);
  await deleteSubscriptionsOf(db, agent.tenantId, agent.agentId as AgentId);
  return unassignAgent(rt, db, agent);
};
