import type { Contact } from '#contacts/domain/contact';
import { authorKindNumber } from '#core/caller/author';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';

/*
 * What the index is made of, as it is now: by ids when an event told of it, or the newest before an id when older things are taken in.
 */

/** A message of either direction. */
export interface MessageSource {
  readonly id: string;
  readonly inbound: boolean;
  readonly type: string;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly filename: string | null;
  readonly phoneNumberId: string;
  readonly agentId: string | null;
  /** By the customer who wrote it. */
  readonly isDeleted: boolean;
}

const BY_AGENT = authorKindNumber('agent');

const INBOUND = `
select m.message_id as id, true as inbound, m.type, m.body, m.content, f.filename, m.phone_number_id, null::uuid as agent_id,
  m.deleted_ms is not null as is_deleted
from inbound_messages m
left join inbound_media f on f.tenant_id = m.tenant_id and f.message_id = m.message_id`;
const OUTBOUND = `
select m.message_id as id, false as inbound, m.type, null as body, m.content, null as filename, m.phone_number_id,
  case when m.author_kind = ${BY_AGENT} then m.author_id end as agent_id, m.deleted_ms is not null as is_deleted
from outbound_messages m`;

const MESSAGES_BY_ID = statement('search_messages_by_id')`
select * from (
  (${INBOUND} where m.tenant_id = $1 and m.message_id = any($2::uuid[]))
  union all
  (${OUTBOUND} where m.tenant_id = $1 and m.message_id = any($2::uuid[]))
) both_ways`;
const MESSAGES_BEFORE = statement('search_messages_before')`
select * from (
  (${INBOUND} where m.tenant_id = $1 and m.message_id < $2::uuid order by m.message_id desc limit $3)
  union all
  (${OUTBOUND} where m.tenant_id = $1 and m.message_id < $2::uuid order by m.message_id desc limit $3)
) both_ways
order by id desc limit $3`;

/** A note with the number of its conversation. */
export interface NoteSource {
  readonly id: string;
  readonly body: string;
  readonly phoneNumberId: string;
  readonly agentId: string | null;
}

const NOTE = `
select n.note_id as id, n.body, c.phone_number_id, case when n.author_kind = 'agent' then n.author_id end as agent_id
from conversation_notes n
join conversations c on c.tenant_id = n.tenant_id and c.conversation_id = n.conversation_id`;
const NOTES_BY_ID = statement('search_notes_by_id')`
${NOTE} where n.tenant_id = $1 and n.note_id = any($2::uuid[])`;
const NOTES_BEFORE = statement('search_notes_before')`
${NOTE} where n.tenant_id = $1 and n.note_id < $2::uuid order by n.note_id desc limit $3`;

export interface ContactSource
  extends Pick<
    Contact,
    'name' | 'profileName' | 'username' | 'phone' | 'userId' | 'externalId' | 'tags' | 'attributes'
  > {
  readonly id: ContactId;
  /** Erased, or part of another contact. */
  readonly isGone: boolean;
}

const CONTACT = `
select c.contact_id as id, c.name, c.profile_name, c.username, c.phone, c.user_id, c.external_id, c.tags, c.attributes,
  c.erased_ms is not null or c.merged_into is not null as is_gone
from contacts c`;
const CONTACTS_BY_ID = statement('search_contacts_by_id')`
${CONTACT} where c.tenant_id = $1 and c.contact_id = any($2::uuid[])`;
const CONTACTS_BEFORE = statement('search_contacts_before')`
${CONTACT} where c.tenant_id = $1 and c.contact_id < $2::uuid order by c.contact_id desc limit $3`;

export interface ConversationSource {
  readonly id: ConversationId;
  readonly number: number | null;
  readonly tags: readonly string[];
  readonly phoneNumberId: string;
  readonly contact: Pick<Contact, 'name' | 'profileName' | 'phone'>;
}

const CONVERSATION = `
select v.conversation_id as id, v.number, v.tags, v.phone_number_id,
  json_build_object('name', c.name, 'profileName', c.profile_name, 'phone', c.phone) as contact
from conversations v
join contacts c on c.tenant_id = v.tenant_id and c.contact_id = v.contact_id`;
const CONVERSATIONS_BY_ID = statement('search_conversations_by_id')`
${CONVERSATION} where v.tenant_id = $1 and v.conversation_id = any($2::uuid[])`;
const CONVERSATIONS_BEFORE = statement('search_conversations_before')`
${CONVERSATION} where v.tenant_id = $1 and v.conversation_id < $2::uuid order by v.conversation_id desc limit $3`;

const NO_ID_IS_LARGER = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Which things are wanted: those with these ids, or the newest before an id. */
export type Wanted = { readonly ids: readonly string[] } | { readonly before: string | null; readonly limit: number };

function reader<Source>(byId: typeof MESSAGES_BY_ID, newestBefore: typeof MESSAGES_BEFORE) {
  return async (db: SqlRunner, tenantId: TenantId, wanted: Wanted): Promise<readonly Source[]> => {
    if (!('ids' in wanted)) {
      const parameters = [tenantId, wanted.before ?? NO_ID_IS_LARGER, wanted.limit];
      return (await db.run<Source>(newestBefore, parameters)).rows;
    }
    if (wanted.ids.length === 0) return [];
    return (await db.run<Source>(byId, [tenantId, plainArray(wanted.ids)])).rows;
  };
}

export const readMessageSources = reader<MessageSource>(MESSAGES_BY_ID, MESSAGES_BEFORE);
export const readNoteSources = reader<NoteSource>(NOTES_BY_ID, NOTES_BEFORE);
export const readContactSources = reader<ContactSource>(CONTACTS_BY_ID, CONTACTS_BEFORE);
export const readConversationSources = reader<ConversationSource>(CONVERSATIONS_BY_ID, CONVERSATIONS_BEFORE);

const CONVERSATIONS_OF = statement('search_conversations_of_contacts')`
select conversation_id as id from conversations where tenant_id = $1 and contact_id = any($2::uuid[])`;

/** The conversations of contacts: they are found by their names too. */
export async function findConversationsOf(
  db: SqlRunner,
  tenantId: TenantId,
  contactIds: readonly string[],
): Promise<readonly ConversationId[]> {
  if (contactIds.length === 0) return [];
  const { rows } = await db.run<{ id: ConversationId }>(CONVERSATIONS_OF, [tenantId, plainArray(contactIds)]);
  return rows.map(({ id }) => id);
}
