import type { FastifyRequest } from 'fastify';
import type { ConversationChange } from '#conversations/domain/conversation';
import { requirePermission } from '#http/plugins/agent';

/**
 * Whoever may not assign to others takes a conversation, or hands it back to all.
 * @throws ApiProblem forbidden
 */
export function requireMayAssign(request: Pick<FastifyRequest, 'agent'>, { assigneeId }: ConversationChange): void {
  if (assigneeId === undefined || assigneeId === null || assigneeId === request.agent?.agentId) return;
  requirePermission(request, 'conversations:assign_others');
}
