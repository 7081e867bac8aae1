import { reserveAgent } from '#agents/store/agents';
import { recipientOfContact } from '#contacts/domain/contact';
import {
  type Conversation,
  freeEntryOnAnswer,
  isHeldByOther,
  previewOf,
  windowAt,
} from '#conversations/domain/conversation';
import { repliedEvent } from '#conversations/domain/conversation-events';
import { noteUse } from '#conversations/store/canned-replies';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import { findContactBriefs } from '#conversations/store/conversation-lists';
import { linkReply, showReply } from '#conversations/store/conversation-thread';
import {
  assignsOnReply,
  findConversation,
  lockConversation,
  saveConversation,
} from '#conversations/store/conversations';
import { deleteDraft } from '#conversations/store/drafts';
import type { Actor } from '#core/caller/actor';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ApiProblem } from '#core/errors';
import type { AgentId, ConversationId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { EventDraft } from '#events/domain/event';
import type { AcceptOutcome, MessageAcceptor, SendRequest } from '#messages/actions/accept-message';
import type { Storing } from '#messages/actions/store-accepted';
import type { NewMessage } from '#messages/domain/message';
import type { AcceptRow } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import { recordChange } from './change-conversation.ts';
import { measureTime } from './measure-time.ts';
import { storeWithin } from './store-within.ts';

/** A reply in a conversation. */
export interface Reply {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly actor: Actor;
  /** Its recipient and its number are those of the conversation. */
  readonly request: Omit<SendRequest, 'to' | 'phoneNumberId'>;
  /** Also while another agent holds the conversation. */
  readonly force: boolean;
  /** The newest message that the caller has seen; null: it does not matter. */
  readonly ifLastMessageId: string | null;
  /** The canned reply that it was written with, which counts as used; absent or null: none. */
  readonly cannedReplyId?: string | null;
  readonly claim: IdempotencyClaim | null;
  /** Outside the window, the tenant's policy decides, as for any message. Absent: only templates are taken then. */
  readonly followsPolicy?: true;
}

interface ReplyDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly acceptor: Pick<MessageAcceptor, 'acceptWith'>;
}

/**
 * Sends a message in a conversation. Whether another agent writes or a newer message came is decided under the lock of
 * the conversation, in the transaction that stores the message: of two concurrent answers one is refused.
 * @throws ApiProblem not_found, window_closed, conversation_conflict, or as accepting any message does
 */
export async function replyInConversation({ rt, db, acceptor }: ReplyDeps, reply: Reply): Promise<AcceptOutcome> {
  const { tenantId, claim } = reply;
  const known = await findConversation(db, tenantId, reply.conversationId);
  if (known === null) throw new ApiProblem('not_found');
  const contact = (await findContactBriefs(db, tenantId, [known.contactId])).get(known.contactId);
  const to = contact === undefined ? null : recipientOfContact(contact);
  if (to === null) throw refusal('The customer has no number and no user ID to send to.');
  const request: SendRequest = { ...reply.request, to, phoneNumberId: known.phoneNumberId };
  return acceptor.acceptWith({ tenantId, request, idempotency: claim }, (row) =>
    withEvents(rt, db, (tx, events) => storeReply({ rt, db, tx, events }, known.conversationId, reply, row)),
  );
}

/** A repetition is answered as one before anything is refused: what has changed since does not matter to it. */
export async function storeReply(
  parts: { readonly rt: Runtime; readonly db: Database; readonly tx: Transaction; readonly events: EventSink },
  conversationId: ConversationId,
  reply: Reply,
  row: AcceptRow,
): Promise<Storing> {
  const { rt, db, tx, events } = parts;
  const before = await lockConversation(tx, reply.tenantId, conversationId);
  if (before === null) throw new ApiProblem('not_found');
  const takerId = await reserveTaker(tx, before, reply.actor);
  const stored = await storeWithin({ rt, db, tx }, row);
  if (stored !== 'stored' && stored !== 'stored_outside') return stored;
  const nowMs = rt.clock.now();
  requireTurn(before, reply, nowMs);
  const answered: Answered = { before, actor: reply.actor, takerId, message: row.message, nowMs };
  const after = await takeAnswer(rt, tx, events, answered);
  // Last: all who answer with the same one wait for its row.
  if (reply.cannedReplyId) await noteUse(tx, { tenantId: reply.tenantId, replyId: reply.cannedReplyId, nowMs });
  if (isPerson(reply.actor)) events.add(await emitAnswer(tx, answered, after));
  return stored;
}

function requireTurn(
  one: Conversation,
  { actor, request, force, ifLastMessageId, followsPolicy }: Reply,
  nowMs: number,
): void {
  if (!followsPolicy && request.content.type !== 'template' && !windowAt(one, nowMs).open)
    throw new ApiProblem('window_closed');
  const agentId = actor.kind === 'agent' ? actor.id : null;
  if (!force && isHeldByOther(one, agentId, nowMs)) {
    const wayOut = followsPolicy ? '' : ' Send force to reply anyway.';
    throw refusal(`Agent ${one.leaseAgentId} is writing in this conversation.${wayOut}`);
  }
  const newest = one.lastMessage?.messageId ?? null;
  if (ifLastMessageId !== null && newest !== ifLastMessageId) {
    throw refusal(`The newest message of the conversation is now ${newest}.`);
  }
}

interface Answered {
  readonly before: Conversation;
  readonly actor: Actor;
  /** Who gets the conversation with it; null: it stays as it is. */
  readonly takerId: AgentId | null;
  readonly message: NewMessage;
  readonly nowMs: number;
}

/**
 * The message becomes part of the conversation. An answer of a person ends the wait; one of a rule does not. An agent who
 * answers has read what was written, and gets the conversation if nobody has it and its number says so.
 */
async function takeAnswer(rt: Runtime, tx: Transaction, events: EventSink, answered: Answered): Promise<Conversation> {
  const { before, actor, takerId, message, nowMs } = answered;
  const { tenantId, conversationId } = before;
  const { messageId, content } = message;
  const ends = isPerson(actor);
  const after: Conversation = {
    ...before,
    assigneeId: takerId ?? before.assigneeId,
    version: takerId === null ? before.version : before.version + 1,
    unreadCount: actor.kind === 'agent' ? 0 : before.unreadCount,
    waitingSinceMs: ends ? null : before.waitingSinceMs,
    firstResponseMs: ends ? (before.firstResponseMs ?? nowMs) : before.firstResponseMs,
    freeEntryUntilMs: freeEntryOnAnswer(before, nowMs),
    updatedMs: Math.max(before.updatedMs, nowMs),
  };
  await linkReply(tx, before, messageId);
  if (actor.kind === 'agent') await deleteDraft(tx, { tenantId, conversationId, agentId: actor.id as AgentId });
  await saveConversation(tx, after);
  const preview = previewOf(content.type === 'text' ? content.body : null);
  await showReply(tx, { tenantId, conversationId, atMs: nowMs, messageId, type: content.type, preview });
  const lastMessage = { messageId, inbound: false, type: content.type, preview };
  const shown = { ...after, lastMessage, lastMessageMs: nowMs, lastOutboundMs: nowMs };
  if (takerId === null) await addCounts(tx, rt.newId, countChange(before, after));
  else await recordChange(rt, tx, events, { before, after: shown, actor, cause: 'reply', nowMs });
  return shown;
}

/** The agent who gets the conversation with this answer; null: it stays as it is. Before the message is stored: see `reserveAgent`. */
async function reserveTaker(tx: Transaction, before: Conversation, actor: Actor): Promise<AgentId | null> {
  if (actor.kind !== 'agent' || before.assigneeId !== null || before.status === 'resolved') return null;
  if (!(await assignsOnReply(tx, before))) return null;
  const agentId = actor.id as AgentId;
  return (await reserveAgent(tx, before.tenantId, agentId)) ? agentId : null;
}

function isPerson({ kind }: Actor): boolean {
  return kind === 'agent' || kind === 'key';
}

/** The event of a person's answer, with how long the customer waited for it. */
async function emitAnswer(tx: Transaction, answered: Answered, after: Conversation): Promise<EventDraft> {
  const { before, actor, message, nowMs } = answered;
  const { waitingSinceMs, firstResponseMs } = before;
  const timing = waitingSinceMs === null ? null : await measureTime(tx, before, waitingSinceMs, nowMs);
  const answer = { messageId: message.messageId, isFirst: firstResponseMs === null, timing };
  return repliedEvent(before, after, answer, { actor, cause: 'reply', nowMs });
}

function refusal(sentence: string): ApiProblem {
  return new ApiProblem('conversation_conflict', { sentence });
}
