import type { Conversation } from '#conversations/domain/conversation';
import { describeConversation, describeNote } from '#conversations/domain/conversation-events';
import { type ContactBrief, findContactBriefs } from '#conversations/store/conversation-lists';
import type { ThreadEntry } from '#conversations/store/conversation-thread';
import { type ConversationEvent, findConversation } from '#conversations/store/conversations';
import { requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner } from '#database/database';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { presentMessage } from '#messages/http/present/message';

/** Conversations with their contacts, as they are at this moment. */
export async function presentConversations(
  db: SqlRunner,
  tenantId: TenantId,
  conversations: readonly Conversation[],
  nowMs: number,
): Promise<readonly JsonObject[]> {
  const contacts = await findContactBriefs(
    db,
    tenantId,
    conversations.map((one) => one.contactId),
  );
  return conversations.map((one) => ({
    ...describeConversation(one, nowMs),
    contact: presentContact(one, contacts.get(one.contactId)),
  }));
}

function presentContact({ contactId }: Conversation, contact: ContactBrief | undefined): JsonObject {
  return { id: contactId, name: contact?.name ?? null, phone: contact?.phone ?? null };
}

/** The same of one. */
export async function presentConversation(db: SqlRunner, one: Conversation, nowMs: number): Promise<JsonObject> {
  const [presented = {}] = await presentConversations(db, one.tenantId, [one], nowMs);
  return presented;
}

export function presentThreadEntry(entry: ThreadEntry): JsonObject {
  return entry.kind === 'note' ? describeNote(entry.note) : presentMessage(entry.message);
}

export function presentHistory(event: ConversationEvent): JsonObject {
  return {
    id: event.eventId,
    at: formatRfc3339(event.atMs),
    changes: event.changes,
    actor: { kind: event.actor.kind, id: event.actor.id },
    cause: event.cause,
  };
}

/** @throws ApiProblem not_found */
export async function requireConversation(db: SqlRunner, tenantId: TenantId, id: string): Promise<Conversation> {
  return requireFound(await findConversation(db, tenantId, id.toLowerCase()));
}
