import type { Conversation } from '#conversations/domain/conversation';
import { describeConversation } from '#conversations/domain/conversation-events';
import { findContactBriefs } from '#conversations/store/conversation-lists';
import { findConversation } from '#conversations/store/conversations';
import { requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner } from '#database/database';

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
  return conversations.map((one) => {
    const { name = null, phone = null } = contacts.get(one.contactId) ?? {};
    return { ...describeConversation(one, nowMs), contact: { id: one.contactId, name, phone } };
  });
}

/** The same of one. */
export async function presentConversation(db: SqlRunner, one: Conversation, nowMs: number): Promise<JsonObject> {
  const [presented = {}] = await presentConversations(db, one.tenantId, [one], nowMs);
  return presented;
}

/** @throws ApiProblem not_found */
export async function requireConversation(db: SqlRunner, tenantId: TenantId, id: string): Promise<Conversation> {
  return requireFound(await findConversation(db, tenantId, id.toLowerCase()));
}
