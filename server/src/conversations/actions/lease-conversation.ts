import { type Conversation, isHeldByOther } from '#conversations/domain/conversation';
import { lockConversation, saveConversation } from '#conversations/store/conversations';
import { ApiProblem } from '#core/errors';
import type { AgentId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** How long an agent counts as writing; renewed while the agent writes. */
export const CONVERSATION_LEASE_MS = 30_000;

export interface LeaseRequest {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly agentId: AgentId;
}

/**
 * Leases the conversation to an agent who writes, or prolongs the lease.
 * @throws ApiProblem not_found, conversation_conflict while another agent holds it
 */
export function takeLease(rt: Runtime, db: Database, request: LeaseRequest): Promise<Conversation> {
  return changeLease(rt, db, request, (before, nowMs) => {
    if (isHeldByOther(before, request.agentId, nowMs)) throw heldBy(before);
    return { ...before, leaseAgentId: request.agentId, leaseUntilMs: nowMs + CONVERSATION_LEASE_MS };
  });
}

/**
 * Releases the lease of the conversation. A conversation without a lease, or leased to another agent, stays as it is.
 * @throws ApiProblem not_found
 */
export function releaseLease(rt: Runtime, db: Database, request: LeaseRequest): Promise<Conversation> {
  return changeLease(rt, db, request, (before) => {
    return before.leaseAgentId === request.agentId ? { ...before, leaseAgentId: null, leaseUntilMs: null } : before;
  });
}

/** Leases come and go by the second: they are neither a recorded change nor a new version. */
function changeLease(
  rt: Runtime,
  db: Database,
  { tenantId, conversationId }: LeaseRequest,
  change: (before: Conversation, nowMs: number) => Conversation,
): Promise<Conversation> {
  return db.transaction(async (tx) => {
    const before = await lockConversation(tx, tenantId, conversationId);
    if (before === null) throw new ApiProblem('not_found');
    const after = change(before, rt.clock.now());
    if (after !== before) await saveConversation(tx, after);
    return after;
  });
}

function heldBy({ leaseAgentId }: Conversation): ApiProblem {
  return new ApiProblem('conversation_conflict', {
    sentence: `Agent ${leaseAgentId} is writing in this conversation.`,
  });
}
