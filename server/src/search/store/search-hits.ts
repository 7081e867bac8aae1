import type { Contact } from '#contacts/domain/contact';
import { type ContactRow, toContact } from '#contacts/store/contact-rows';
import type { Conversation } from '#conversations/domain/conversation';
import { type ConversationRow, toConversation } from '#conversations/store/conversation-rows';
import type { Note } from '#conversations/store/conversation-thread';
import type { ContactId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';

/** A note with the contact that its conversation is with. */
export interface FoundNote extends Note {
  readonly contactId: ContactId;
}

const NOTES = statement('search_hit_notes')`
select n.tenant_id, n.conversation_id, n.note_id, n.body, n.mentions,
  json_build_object('kind', n.author_kind, 'id', n.author_id) as author, n.created_ms, c.contact_id
from conversation_notes n
join conversations c on c.tenant_id = n.tenant_id and c.conversation_id = n.conversation_id
where n.tenant_id = $1 and n.note_id = any($2::uuid[])`;

export async function findNotes(
  db: SqlRunner,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<readonly FoundNote[]> {
  return (await db.run<FoundNote>(NOTES, [tenantId, plainArray(ids)])).rows;
}

const CONTACTS = statement('search_hit_contacts')`
select * from contacts
where tenant_id = $1 and contact_id = any($2::uuid[]) and erased_ms is null and merged_into is null`;

/** Contacts that are neither erased nor part of another one. */
export async function findContacts(
  db: SqlRunner,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<readonly Contact[]> {
  return (await db.run<ContactRow>(CONTACTS, [tenantId, plainArray(ids)])).rows.map(toContact);
}

const CONVERSATIONS = statement('search_hit_conversations')`
select * from conversations where tenant_id = $1 and conversation_id = any($2::uuid[])`;

export async function findConversations(
  db: SqlRunner,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<readonly Conversation[]> {
  return (await db.run<ConversationRow>(CONVERSATIONS, [tenantId, plainArray(ids)])).rows.map(toConversation);
}
