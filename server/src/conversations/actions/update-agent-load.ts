import { addOpen } from '#agents/store/agents';
import { countsTowardCapacity } from '#conversations/domain/assignment';
import type { Conversation } from '#conversations/domain/conversation';
import { askForReview } from '#conversations/store/assignment-reviews';
import type { AgentId } from '#core/ids';
import type { Transaction } from '#database/database';

/** The cause of changes that assignment makes: the place of the agent is taken already then. */
export const ASSIGNMENT = 'assignment';

/** A conversation before and after a change that is written. */
interface Followed {
  readonly before: Conversation;
  readonly after: Conversation;
  readonly cause: string;
  readonly nowMs: number;
}

/**
 * Keeps the agents' counts of open conversations as the conversations are, and asks for a review when one opens again
 * with its agent. The queue needs nothing: it is an index of the conversations themselves.
 */
export async function updateAgentLoad(tx: Transaction, { before, after, cause, nowMs }: Followed): Promise<void> {
  const [from, to] = [capacityOf(before), capacityOf(after)];
  if (from !== to) {
    if (from !== null) await addOpen(tx, after.tenantId, from, -1);
    if (to !== null && cause !== ASSIGNMENT) await addOpen(tx, after.tenantId, to, 1);
  }
  if (opensAgain(before, after) && after.assigneeId !== null) await askForReview(tx, after, nowMs);
}

/** Whose capacity the conversation takes a place of. */
function capacityOf(one: Conversation): AgentId | null {
  return countsTowardCapacity(one) ? one.assigneeId : null;
}

function opensAgain(before: Conversation, after: Conversation): boolean {
  return after.status === 'open' && (before.status === 'resolved' || before.status === 'snoozed');
}
