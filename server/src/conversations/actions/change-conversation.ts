import { requireVersion } from '#access/actions/require-version';
import { holdAgent } from '#agents/store/agents';
import {
  applyConversationChange,
  type Conversation,
  type ConversationChange,
} from '#conversations/domain/conversation';
import { changeEvents, describeChanges } from '#conversations/domain/conversation-events';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import {
  addHistory,
  findOpenConversation,
  lockConversation,
  saveConversation,
} from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { measureTime } from './measure-time.ts';
import { ASSIGNMENT, updateAgentLoad } from './update-agent-load.ts';

/** A wish to change a conversation. */
export interface ChangeRequest {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly actor: Actor;
  /** A short slug that says what led to it: `api`, `snooze_over`, `rule`. */
  readonly cause: string;
  readonly change: ConversationChange;
  /** The versions that the caller has seen; null or absent: any. */
  readonly ifVersion?: readonly number[] | null;
}

export interface ConversationChanged {
  readonly before: Conversation;
  /** The same object as `before` when there was nothing to change: then nothing is recorded either. */
  readonly after: Conversation;
}

/**
 * The one way to change a conversation. State, history, counts and events are written in the caller's transaction, which
 * holds the conversation from here on.
 * @throws ApiProblem not_found, conversation_conflict for a change that its state does not allow, precondition_failed
 */
export async function updateConversation(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  request: ChangeRequest,
): Promise<ConversationChanged> {
  const before = await lockConversation(tx, request.tenantId, request.conversationId);
  if (before === null) throw new ApiProblem('not_found');
  requireVersion('conversation', before, request.ifVersion ?? null);
  const nowMs = rt.clock.now();
  const changed = applyConversationChange(before, request.change, nowMs);
  if (!changed.ok) throw new ApiProblem('conversation_conflict', { sentence: changed.reason });
  const { after } = changed;
  if (after === before) return { before, after };
  if (before.status === 'resolved' && after.status !== 'resolved') await requireNoOtherOpen(tx, before);
  if (after.assigneeId !== before.assigneeId && request.cause !== ASSIGNMENT) await requireAssignee(tx, after);
  await saveConversation(tx, after);
  await recordChange(rt, tx, events, { before, after, actor: request.actor, cause: request.cause, nowMs });
  return { before, after };
}

/** A change that is written already, and what to say of it. */
export interface RecordedChange extends ConversationChanged {
  readonly actor: Actor;
  readonly cause: string;
  readonly nowMs: number;
}

/** Records a change: in the history, in the counts and as an event. */
export async function recordChange(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  { before, after, actor, cause, nowMs }: RecordedChange,
): Promise<void> {
  const { tenantId, conversationId } = after;
  const eventId = rt.newId();
  const changes = describeChanges(before, after);
  await addHistory(tx, [{ tenantId, conversationId, eventId, atMs: nowMs, actor, cause, changes }]);
  await addCounts(tx, rt.newId, countChange(before, after));
  await updateAgentLoad(tx, { before, after, cause, nowMs });
  const isResolved = before.status !== 'resolved' && after.status === 'resolved';
  const resolution = isResolved ? await measureTime(tx, after, before.openedMs, nowMs) : null;
  for (const event of changeEvents(before, after, { actor, cause, nowMs, resolution })) events.add(event);
}

/**
 * Locks the agent who gets the conversation until the transaction ends: a deletion of the agent waits, and then sees
 * this conversation. Assignment itself locks the agent whose place it took.
 */
async function requireAssignee(tx: Transaction, { tenantId, assigneeId }: Conversation): Promise<void> {
  if (assigneeId === null || (await holdAgent(tx, tenantId, assigneeId))) return;
  throw new ApiProblem('conversation_conflict', { sentence: 'The agent has been deleted. Assign another one.' });
}

/**
 * The unique index would refuse the second one as well, but with an error that means nothing to the caller. A
 * conversation that is opened between this read and our commit causes that error.
 */
async function requireNoOtherOpen(tx: Transaction, one: Conversation): Promise<void> {
  const other = await findOpenConversation(tx, one);
  if (other === null) return;
  const sentence = `The customer has another unresolved conversation with this number: ${other}.`;
  throw new ApiProblem('conversation_conflict', { sentence });
}
