import { findDefaultTeam, findTeam } from '#agents/store/teams';
import type { AssignmentChoice, Skipped } from '#conversations/domain/assignment';
import type { Conversation } from '#conversations/domain/conversation';
import { type AssignmentEntry, findLastAgent, listAssignments } from '#conversations/store/assignment';
import { findConversation } from '#conversations/store/conversations';
import { ApiProblem } from '#core/errors';
import type { ConversationId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { decideAssignment, readPools } from './assign-next.ts';

/** Why a conversation waits at this moment. */
export interface Waiting {
  readonly because: AssignmentChoice['because'] | 'no_team' | 'with_bot';
  readonly skipped: readonly Skipped[];
}

export interface Explained {
  /** The latest decisions, newest first. */
  readonly entries: readonly AssignmentEntry[];
  /** Null: it waits for no agent. */
  readonly waiting: Waiting | null;
}

/**
 * What assignment decided about a conversation, and why it waits if it does: evaluated now, by the rules of assignment.
 * @throws ApiProblem not_found
 */
export async function explainAssignment(rt: Runtime, db: Database, tenantId: TenantId, id: string): Promise<Explained> {
  // Before the conversation is read: one that is assigned meanwhile is not reported as both assigned and waiting.
  const entries = await listAssignments(db, tenantId, id as ConversationId);
  const conversation = await findConversation(db, tenantId, id);
  if (conversation === null) throw new ApiProblem('not_found');
  return { entries, waiting: await explainWaiting(rt, db, conversation) };
}

async function explainWaiting(rt: Runtime, db: Database, one: Conversation): Promise<Waiting | null> {
  const { tenantId, conversationId, status, assigneeId, teamId, handledBy } = one;
  if (status !== 'open' || assigneeId !== null) return null;
  if (handledBy === 'bot') return { because: 'with_bot', skipped: [] };
  const team = teamId === null ? await findDefaultTeam(db, tenantId) : await findTeam(db, tenantId, teamId);
  if (team === null) return { because: 'no_team', skipped: [] };
  const pools = await readPools(rt, db, team);
  const { because, skipped } = decideAssignment(team, pools, await findLastAgent(db, tenantId, conversationId));
  return { because, skipped };
}
