import {
  type Conversation,
  freeEntryOnAnswer,
  isHeldByOther,
  previewOf,
  windowAt,
} from '#conversations/domain/conversation';
import { repliedEvent } from '#conversations/domain/conversation-events';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import { findContactBriefs } from '#conversations/store/conversation-lists';
import { linkReply, showReply } from '#conversations/store/conversation-thread';
import { findConversation, lockConversation, saveConversation } from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ApiProblem } from '#core/errors';
import type { ConversationId, MessageId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { EventDraft } from '#events/domain/event';
import type { AcceptOutcome, MessageAcceptor, SendRequest } from '#messages/actions/accept-message';
import { makeStoreBatch, type Storing } from '#messages/actions/store-accepted';
import type { NewMessage } from '#messages/domain/message';
import type { AcceptRow } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import { measureTime } from './measure-time.ts';

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
  readonly claim: IdempotencyClaim | null;
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
  const to = (await findContactBriefs(db, tenantId, [known.contactId])).get(known.contactId)?.phone ?? null;
  if (to === null) throw refusal('The customer shows no number that could be written to.');
  const request: SendRequest = { ...reply.request, to, phoneNumberId: known.phoneNumberId };
  return acceptor.acceptWith({ tenantId, request, idempotency: claim }, (row) =>
    withEvents(rt, db, (tx, events) => storeReply({ rt, db, tx, events }, known.conversationId, reply, row)),
  );
}

/** A repetition is answered as one before anything is refused: what has changed since does not matter to it. */
async function storeReply(
  parts: { readonly rt: Runtime; readonly db: Database; readonly tx: Transaction; readonly events: EventSink },
  conversationId: ConversationId,
  reply: Reply,
  row: AcceptRow,
): Promise<Storing> {
  const { rt, db, tx, events } = parts;
  const before = await lockConversation(tx, reply.tenantId, conversationId);
  if (before === null) throw new ApiProblem('not_found');
  const [stored = 'replay'] = await makeStoreBatch(rt, joined(db, tx))([row]);
  if (stored !== 'stored') return stored;
  const nowMs = rt.clock.now();
  requireTurn(before, reply, nowMs);
  const answered: Answered = { before, actor: reply.actor, message: row.message, nowMs };
  const after = await takeAnswer(rt, tx, answered);
  if (isPerson(reply.actor)) events.add(await emitAnswer(tx, answered, after));
  return stored;
}

/** The same database, with transactions that are part of the one that is open. */
function joined(db: Database, tx: Transaction): Database {
  return {
    kind: db.kind,
    kysely: db.kysely,
    run: (statement, parameters) => tx.run(statement, parameters),
    transaction: (work) => work(tx),
    guard: (check) => db.guard(check),
    listen: (channel, heard) => db.listen(channel, heard),
    notify: (channel, payload) => db.notify(channel, payload),
    close: () => Promise.resolve(),
  };
}

function requireTurn(one: Conversation, { actor, request, force, ifLastMessageId }: Reply, nowMs: number): void {
  if (request.content.type !== 'template' && !windowAt(one, nowMs).open) throw new ApiProblem('window_closed');
  const agentId = actor.kind === 'agent' ? actor.id : null;
  if (!force && isHeldByOther(one, agentId, nowMs)) {
    throw refusal(`Agent ${one.leaseAgentId} is writing in this conversation. Send force to answer all the same.`);
  }
  const newest = one.lastMessage?.messageId ?? null;
  if (ifLastMessageId !== null && newest !== ifLastMessageId) {
    throw refusal(`The newest message of the conversation is another one by now: ${newest}.`);
  }
}

interface Answered {
  readonly before: Conversation;
  readonly actor: Actor;
  readonly message: NewMessage;
  readonly nowMs: number;
}

/** The message becomes part of the conversation. An answer of a person ends the wait; one of a rule does not. */
async function takeAnswer(
  rt: Runtime,
  tx: Transaction,
  { before, actor, message, nowMs }: Answered,
): Promise<Conversation> {
  const { tenantId, conversationId, contactId } = before;
  const messageId: MessageId = message.messageId;
  const ends = isPerson(actor);
  const after: Conversation = {
    ...before,
    waitingSinceMs: ends ? null : before.waitingSinceMs,
    firstResponseMs: ends ? (before.firstResponseMs ?? nowMs) : before.firstResponseMs,
    freeEntryUntilMs: freeEntryOnAnswer(before, nowMs),
    updatedMs: Math.max(before.updatedMs, nowMs),
  };
  await linkReply(tx, { tenantId, messageId, conversationId, contactId });
  await saveConversation(tx, after);
  const { content } = message;
  const preview = previewOf(content.type === 'text' ? content.body : null);
  await showReply(tx, { tenantId, conversationId, atMs: nowMs, messageId, type: content.type, preview });
  await addCounts(tx, rt.newId, countChange(before, after));
  const lastMessage = { messageId, inbound: false, type: content.type, preview };
  return { ...after, lastMessage, lastMessageMs: nowMs, lastOutboundMs: nowMs };
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
  return repliedEvent(after, answer, { actor, cause: 'reply', nowMs });
}

function refusal(sentence: string): ApiProblem {
  return new ApiProblem('conversation_conflict', { sentence });
}
