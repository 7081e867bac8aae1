import { addOpen, reserveAgent } from '#agents/store/agents';
import { contactOfRecipient } from '#contacts/actions/contact-of-recipient';
import { type Contact, recipientOfContact } from '#contacts/domain/contact';
import { findContact } from '#contacts/store/contacts';
import { type Conversation, previewOf } from '#conversations/domain/conversation';
import { openedEvent } from '#conversations/domain/conversation-events';
import { type ConversationPair, startConversation } from '#conversations/domain/conversation-inbound';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import {
  lockLatestConversations,
  numberConversations,
  openConversations,
  pairKey,
  saveArrivals,
} from '#conversations/store/conversation-inbound';
import { linkReply, showReply } from '#conversations/store/conversation-thread';
import {
  addHistory,
  findConversation,
  findOpenConversation,
  saveConversation,
} from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import { ApiProblem, requireFound } from '#core/errors';
import type { AgentId, ConversationId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { AcceptedResponse, MessageAcceptor, SendRequest } from '#messages/actions/accept-message';
import type { AcceptRow } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import { type Reply, storeReply } from './reply-in-conversation.ts';
import { requireStored } from './store-within.ts';

/** A message to a customer with whom there may be no conversation yet. */
export interface Begin {
  readonly tenantId: TenantId;
  readonly actor: Actor;
  /** Null: `request.to` names the customer. */
  readonly contactId: string | null;
  readonly request: SendRequest;
}

export interface Begun {
  readonly conversation: Conversation;
  readonly contact: Contact;
  /** False: the customer had one that was not resolved, and the message is part of it. */
  readonly isNew: boolean;
  readonly message: AcceptedResponse;
}

interface BeginDeps {
  readonly rt: Runtime;
  /** Its one transaction has everything: once per Idempotency-Key, if the caller wants that. */
  readonly db: Database;
  readonly acceptor: Pick<MessageAcceptor, 'acceptWith'>;
}

/**
 * Sends a message and begins the conversation that it is part of, with a contact of its own for a number or user id that none has. An agent
 * who begins a conversation has it. Whoever has a conversation that is not resolved gets the message there, as a reply.
 * @throws ApiProblem not_found, conversation_conflict, or as accepting any message does
 */
export async function beginWithMessage({ rt, db, acceptor }: BeginDeps, begin: Begin): Promise<Begun> {
  try {
    const { tenantId } = begin;
    const request = { ...begin.request, to: await recipientOf(db, begin) };
    let begun: Begun | null = null;
    await acceptor.acceptWith({ tenantId, request, idempotency: null }, async (row) => {
      begun = await withEvents(rt, db, (tx, events) => storeBegin({ rt, db, tx, events }, { ...begin, request }, row));
      return 'stored';
    });
    return requireFound<Begun>(begun);
  } catch (error) {
    // Refused before the transaction that knows repetitions: they get their first answer all the same.
    if (error instanceof ApiProblem) return db.transaction(() => Promise.reject(error));
    throw error;
  }
}

async function recipientOf(db: Database, { tenantId, contactId, request }: Begin): Promise<string> {
  if (contactId === null) return request.to;
  const to = recipientOfContact(requireFound(await findContact(db, tenantId, contactId)));
  if (to !== null) return to;
  const sentence = 'The customer has no number and no user ID to send to.';
  throw new ApiProblem('conversation_conflict', { sentence });
}

interface Room {
  readonly rt: Runtime;
  readonly db: Database;
  readonly tx: Transaction;
  readonly events: EventSink;
}

/** What the transaction returns is what a repetition gets. */
async function storeBegin(room: Room, begin: Begin, row: AcceptRow): Promise<Begun> {
  const { rt, tx, events } = room;
  const { tenantId, actor, request } = begin;
  const { to, phoneNumberId, messageId, content } = row.message;
  const message: AcceptedResponse = { id: messageId, status: 'queued', type: content.type, to };
  const contact = await contactOfRecipient({ rt, tx, events, nowMs: rt.clock.now() }, tenantId, to);
  const pair: ConversationPair = { tenantId, contactId: contact.contactId, phoneNumberId };
  const latest = (await lockLatestConversations(tx, [pair])).get(pairKey(pair)) ?? null;
  const made = latest !== null && latest.resolvedMs === null ? null : await openFor(room, begin, { pair, latest });
  if (made !== null) return { conversation: await fill(room, begin, made, row), contact, isNew: true, message };
  const conversationId = latest?.resolvedMs === null ? latest.conversationId : await openNow(tx, pair);
  const reply: Reply = { tenantId, conversationId, actor, request, force: false, ifLastMessageId: null, claim: null };
  if ((await storeReply(room, conversationId, { ...reply, followsPolicy: true }, row)) !== 'stored') {
    throw new ApiProblem('insufficient_balance');
  }
  return {
    conversation: requireFound(await findConversation(tx, tenantId, conversationId)),
    contact,
    isNew: false,
    message,
  };
}

/** The one that somebody else has opened since. */
async function openNow(tx: Transaction, pair: ConversationPair): Promise<ConversationId> {
  return requireFound(await findOpenConversation(tx, pair));
}

/** A new conversation with its number; null when somebody else opened one in this moment. */
async function openFor(
  { rt, tx }: Room,
  { actor }: Begin,
  { pair, latest }: { readonly pair: ConversationPair; readonly latest: Conversation | null },
): Promise<Conversation | null> {
  const nowMs = rt.clock.now();
  const empty = startConversation(pair, rt.newId<ConversationId>(), latest, nowMs);
  if (!(await openConversations(tx, [empty], nowMs)).has(empty.conversationId)) return null;
  const agentId = actor.kind === 'agent' ? (actor.id as AgentId) : null;
  const isThere = agentId !== null && (await reserveAgent(tx, pair.tenantId, agentId));
  const assigneeId = isThere ? agentId : null;
  const fresh = { ...empty, assigneeId };
  await saveArrivals(tx, [fresh]);
  await saveConversation(tx, fresh);
  if (assigneeId !== null) await addOpen(tx, pair.tenantId, assigneeId, 1);
  const [numbered = fresh] = await numberConversations(tx, [fresh]);
  return numbered;
}

/** The message becomes the first of the conversation. */
async function fill({ rt, db, tx, events }: Room, { actor }: Begin, made: Conversation, row: AcceptRow) {
  await requireStored({ rt, db, tx }, row);
  const { tenantId, conversationId, assigneeId } = made;
  const { messageId, content } = row.message;
  const [nowMs, cause] = [made.createdMs, 'api'];
  const preview = previewOf(content.type === 'text' ? content.body : null);
  await linkReply(tx, made, messageId);
  await showReply(tx, { tenantId, conversationId, atMs: nowMs, messageId, type: content.type, preview });
  const lastMessage = { messageId, inbound: false, type: content.type, preview };
  const after: Conversation = { ...made, lastMessage, lastMessageMs: nowMs, lastOutboundMs: nowMs };
  const changes: JsonObject = { status: [null, 'open'], ...(assigneeId && { assignee_id: [null, assigneeId] }) };
  await addHistory(tx, [{ tenantId, conversationId, eventId: rt.newId(), atMs: nowMs, actor, cause, changes }]);
  await addCounts(tx, rt.newId, countChange(null, after));
  events.add(openedEvent(after, { actor, cause, nowMs }));
  return after;
}
