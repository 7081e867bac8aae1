import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import type { SqlRunner, Statement } from '#database/database';
import { firstRow } from '#database/rows';
import { kindNumber, type SearchKind } from '#search/domain/search-kind';
import { PREFIX } from '#search/domain/search-words';

/** One look into the index: a bounded part of what there is, newest first. */
export interface Look {
  readonly tenantId: TenantId;
  /** See tsqueryOf. */
  readonly query: string;
  /** See prefixOf. */
  readonly prefix: string;
  /** Only ids below this one. */
  readonly beforeId: string;
  /** Only this id and larger ones. */
  readonly fromId: string;
  /** Conversations have all of these tags; empty: any conversation, or none. */
  readonly tags: readonly string[];
  readonly limit: number;
}

/** What one look has found. */
export interface Looked {
  /** Newest first. */
  readonly ids: readonly string[];
  /** Everything that matches from this id on is in `ids`, unless their limit is reached; null: there is nothing older. */
  readonly downTo: string | null;
}

const TAGGED = `cardinality($7::text[]) = 0 or exists (
  select 1 from conversations c where c.tenant_id = $1 and c.conversation_id = `;
const TAGS = `
    and array(select lower(tag) from unnest(c.tags) tag) @> array(select lower(tag) from unnest($7::text[]) tag))`;

/** Whether the conversation of `s.subject_id` has the tags. Of contacts none has. */
const HAS_TAGS: Readonly<Record<SearchKind, string>> = {
  messages: `${TAGGED}coalesce(
      (select m.conversation_id from inbound_messages m where m.tenant_id = $1 and m.message_id = s.subject_id),
      (select m.conversation_id from outbound_messages m where m.tenant_id = $1 and m.message_id = s.subject_id))${TAGS}`,
  notes: `${TAGGED}(
      select n.conversation_id from conversation_notes n where n.tenant_id = $1 and n.note_id = s.subject_id)${TAGS}`,
  contacts: 'cardinality($7::text[]) = 0',
  conversations: `${TAGGED}s.subject_id${TAGS}`,
};

/*
 * Each portion is looked up in the index of words by itself: the list of even the most common word is as short there as the portion
 * is small. `offset 0` keeps the planner from walking the primary key instead, in the hope that what matches comes soon.
 */
const portionsText = (kind: SearchKind) => `
with p as materialized (
  select portion, first_id from search_portions
  where tenant_id = $1 and kind = ${kindNumber[kind]} and first_id < $4::uuid and last_id >= $5::uuid
  order by first_id desc limit $8
)
select array(
  select d.subject_id from p
  cross join lateral (
    select s.subject_id from (
      select w.subject_id from search_documents w
      where w.tenant_id = $1 and w.kind = ${kindNumber[kind]} and w.words @@ replace($2, '${PREFIX}', $3 || p.portion)::tsquery
      offset 0
    ) s
    where s.subject_id < $4::uuid and s.subject_id >= $5::uuid and (${HAS_TAGS[kind]})
    order by s.subject_id desc limit $6
  ) d
  order by d.subject_id desc limit $6
) as ids,
case when (select count(*) from p) = $8 then (select first_id from p order by first_id limit 1) end as down_to`;

const IN_PORTIONS: Readonly<Record<SearchKind, Statement>> = {
  messages: { name: 'search_message_portions', camelCase: true, text: portionsText('messages') },
  notes: { name: 'search_note_portions', camelCase: true, text: portionsText('notes') },
  contacts: { name: 'search_contact_portions', camelCase: true, text: portionsText('contacts') },
  conversations: { name: 'search_conversation_portions', camelCase: true, text: portionsText('conversations') },
};

/** Looks through the newest portions. @param portions how many */
export async function lookInPortions(db: SqlRunner, kind: SearchKind, look: Look, portions: number): Promise<Looked> {
  const { tenantId, query, prefix, beforeId, fromId, limit, tags } = look;
  const parameters = [tenantId, query, prefix, beforeId, fromId, limit, [...tags], portions];
  return (await firstRow(db.run<Looked>(IN_PORTIONS[kind], parameters))) ?? { ids: [], downTo: null };
}

/** Newest entries of conversations that one look reads. */
const ENTRIES_AT_ONCE = 5_000;

const newestOf = (table: string, id: string) => `
  select e.id from unnest($8::uuid[]) as wanted (conversation_id)
  cross join lateral (
    select ${id} as id from ${table}
    where tenant_id = $1 and conversation_id = wanted.conversation_id and ${id} < $4::uuid and ${id} >= $5::uuid
    order by ${id} desc limit ${ENTRIES_AT_ONCE}
  ) e`;

const ENTRIES: Readonly<Record<Exclude<SearchKind, 'contacts'>, string>> = {
  messages: `${newestOf('inbound_messages', 'message_id')} union all ${newestOf('outbound_messages', 'message_id')}`,
  notes: newestOf('conversation_notes', 'note_id'),
  conversations: `select c.conversation_id as id from conversations c
    where c.tenant_id = $1 and c.conversation_id = any($8::uuid[]) and c.conversation_id < $4::uuid and c.conversation_id >= $5::uuid`,
};

const entriesText = (kind: keyof typeof ENTRIES) => `
with e as materialized (
  select id from (${ENTRIES[kind]}) newest order by id desc limit ${ENTRIES_AT_ONCE}
)
select array(
  select s.subject_id from e
  join search_documents s on s.tenant_id = $1 and s.kind = ${kindNumber[kind]} and s.subject_id = e.id
  where s.words @@ replace($2, '${PREFIX}', $3 || s.portion)::tsquery and (${HAS_TAGS[kind]})
  order by s.subject_id desc limit $6
) as ids,
case when (select count(*) from e) = ${ENTRIES_AT_ONCE} then (select id from e order by id limit 1) end as down_to`;

const IN_CONVERSATIONS: Readonly<Record<keyof typeof ENTRIES, Statement>> = {
  messages: { name: 'search_messages_of_conversations', camelCase: true, text: entriesText('messages') },
  notes: { name: 'search_notes_of_conversations', camelCase: true, text: entriesText('notes') },
  conversations: { name: 'search_conversations_among', camelCase: true, text: entriesText('conversations') },
};

/** Looks through the newest entries of these conversations. Contacts are in none. */
export async function lookInConversations(
  db: SqlRunner,
  kind: SearchKind,
  look: Look,
  conversationIds: readonly string[],
): Promise<Looked> {
  if (kind === 'contacts') return { ids: [], downTo: null };
  const { tenantId, query, prefix, beforeId, fromId, limit, tags } = look;
  const parameters = [tenantId, query, prefix, beforeId, fromId, limit, [...tags], plainArray(conversationIds)];
  return (await firstRow(db.run<Looked>(IN_CONVERSATIONS[kind], parameters))) ?? { ids: [], downTo: null };
}
