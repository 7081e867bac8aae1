import { type Agent, availabilityAt, type Team } from '#agents/domain/agent';
import { findAgent } from '#agents/store/agents';
import { findDefaultTeam, findTeam } from '#agents/store/teams';
import { countsTowardCapacity } from '#conversations/domain/assignment';
import type { Conversation } from '#conversations/domain/conversation';
import { type AssignmentEntry, appendAssignments } from '#conversations/store/assignment';
import { claimReviews, finishReview, isAnyReviewDue } from '#conversations/store/assignment-reviews';
import { findConversation } from '#conversations/store/conversations';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { updateConversation } from './change-conversation.ts';

/** Reviews of one transaction: each may be an event. */
const MAX_AT_ONCE = 50;

/**
 * Decides for conversations that opened again whether they keep their agent, by the policy of their team. Who loses
 * the agent waits in the queue. @returns how many were decided
 */
export async function reviewReopened(rt: Runtime, db: Database): Promise<number> {
  if (!(await isAnyReviewDue(db))) return 0;
  return withEvents(rt, db, async (tx, events) => {
    const reviews = await claimReviews(tx, MAX_AT_ONCE);
    for (const review of reviews) {
      const one = await findConversation(tx, review.tenantId, review.conversationId);
      if (one !== null) await reviewOne(rt, tx, events, one);
      await finishReview(tx, review);
    }
    return reviews.length;
  });
}

async function reviewOne(rt: Runtime, tx: Transaction, events: EventSink, one: Conversation): Promise<void> {
  const { tenantId, conversationId, assigneeId, teamId } = one;
  if (assigneeId === null || !countsTowardCapacity(one)) return;
  const team = teamId === null ? await findDefaultTeam(tx, tenantId) : await findTeam(tx, tenantId, teamId);
  // Nobody would give it another agent: people assign here.
  if (team === null || team.policy === 'manual') return;
  const because = verdict(team, await findAgent(tx, tenantId, assigneeId), rt.clock.now());
  const outcome = because === 'agent_able' || team.reassignOnReopen === 'never' ? 'kept' : 'unassigned';
  if (outcome === 'unassigned') {
    const [actor, change] = [{ kind: 'system', id: null } as const, { assigneeId: null }];
    await updateConversation(rt, tx, events, { tenantId, conversationId, actor, cause: 'reassign', change });
  }
  const entryId = rt.newId<string>();
  const known = { tenantId, conversationId, entryId, atMs: rt.clock.now(), teamId: team.teamId, skipped: [] };
  await appendAssignments(tx, [{ ...known, outcome, agentId: assigneeId, because }]);
}

/** What speaks against the agent that the conversation had, if anything does. */
function verdict(team: Team, agent: Agent | null, nowMs: number): AssignmentEntry['because'] {
  if (team.reassignOnReopen !== 'offline') return 'policy';
  if (agent === null || availabilityAt(agent, nowMs) === 'offline') return 'agent_offline';
  // Its place is counted already: only more than all of them is too many.
  return agent.openCount > agent.maxOpen ? 'agent_full' : 'agent_able';
}
