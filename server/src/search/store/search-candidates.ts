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

/** Words of `s` are those that are looked for. */
const MATCHES = `s.words @@ replace($2, '${PREFIX}', $3 || s.portion)::tsquery`;

/** Entries that are read one after the other before the index of words is asked: a common word is found among them ten times. */
const NEWEST = 512;

const newestText = (kind: SearchKind) => `
with e as materialized (
  select subject_id, portion, words from search_documents
  where tenant_id = $1 and kind = ${kindNumber[kind]} and subject_id < $4::uuid and subject_id >= $5::uuid
  order by subject_id desc limit ${NEWEST}
)
select array(
  select s.subject_id from e s where ${MATCHES} and (${HAS_TAGS[kind]}) order by s.subject_id desc limit $6
) as ids,
case when (select count(*) from e) = ${NEWEST} then (select subject_id from e order by subject_id limit 1) end as down_to`;

const AMONG_NEWEST: Readonly<Record<SearchKind, Statement>> = statementOfEach('newest', newestText);

/** Looks at the newest entries one by one, and asks no index of words. */
export async function lookAmongNewest(db: SqlRunner, kind: SearchKind, look: Look): Promise<Looked> {
  return lookBy(db, AMONG_NEWEST[kind], parametersOf(look));
}

/** Of so many the conversations are looked up in one look, to see their tags. */
const TAGS_AT_ONCE = 250;

/*
 * Goes from portion to portion, newest first, until enough is found or the time of the look is over; at least one. Each is looked up in
 * the index of words by itself: the list of even the most common word is as short there as the portion is small.
 *
 * With `tenant_id` as a text, and `offset 0`, no other index can be taken: walking the primary key, in the hope that what matches comes
 * soon, takes seconds when it does not. So the plan is the same with every statistics of the table. The kind is part of the words.
 */
const portionsText = (kind: SearchKind) => `
with recursive looked (portions, first_id, found, ids) as (
  select 0, $4::uuid, 0, array[]::uuid[]
  union all
  select l.portions + 1, p.first_id, l.found + cardinality(h.ids), h.ids
  from looked l
  cross join lateral (
    select portion, first_id from search_portions
    where tenant_id = $1::uuid and kind = ${kindNumber[kind]} and first_id < l.first_id and last_id >= $5::uuid
    order by first_id desc limit 1
  ) p
  cross join lateral (
    select array(
      select s.subject_id from (
        select w.subject_id from search_documents w
        where w.tenant_id::text = $1::uuid::text and w.words @@ replace($2, '${PREFIX}', $3 || p.portion)::tsquery
        offset 0
      ) s
      where s.subject_id < $4::uuid and s.subject_id >= $5::uuid
      order by s.subject_id desc limit $9
    ) as ids
    offset 0
  ) h
  where l.found < $9
    and (l.portions = 0 or clock_timestamp() < statement_timestamp() + $8::integer * interval '1 millisecond')
), c as materialized (
  select i.subject_id from looked cross join lateral unnest(looked.ids) as i (subject_id) order by i.subject_id desc limit $9
)
select array(
  select s.subject_id from c s where ${HAS_TAGS[kind]} order by s.subject_id desc limit $6
) as ids,
case
  when (select count(*) from c) = $9 then (select subject_id from c order by subject_id limit 1)
  else (
    select least_id.first_id from (select first_id from looked order by first_id limit 1) least_id
    where exists (select from search_portions older
      where older.tenant_id = $1::uuid and older.kind = ${kindNumber[kind]} and older.first_id < least_id.first_id
        and older.last_id >= $5::uuid)
  )
end as down_to`;

const IN_PORTIONS: Readonly<Record<SearchKind, Statement>> = statementOfEach('portions', portionsText);

/** Looks through portions, newest first. @param forMs after this time it begins no further one */
export async function lookInPortions(db: SqlRunner, kind: SearchKind, look: Look, forMs: number): Promise<Looked> {
  const candidates = look.tags.length === 0 ? look.limit : TAGS_AT_ONCE;
  return lookBy(db, IN_PORTIONS[kind], [...parametersOf(look), Math.max(0, Math.round(forMs)), candidates]);
}

const newestOf = (table: string, id: string) => `
  select e.id from unnest($8::uuid[]) as wanted (conversation_id)
  cross join lateral (
    select ${id} as id from ${table}
    where tenant_id = $1 and conversation_id = wanted.conversation_id and ${id} < $4::uuid and ${id} >= $5::uuid
    order by ${id} desc limit $9
  ) e`;

const ENTRIES: Readonly<Record<Exclude<SearchKind, 'contacts'>, string>> = {
  messages: `${newestOf('inbound_messages', 'message_id')} union all ${newestOf('outbound_messages', 'message_id')}`,
  notes: newestOf('conversation_notes', 'note_id'),
  conversations: `select c.conversation_id as id from conversations c
    where c.tenant_id = $1 and c.conversation_id = any($8::uuid[]) and c.conversation_id < $4::uuid and c.conversation_id >= $5::uuid`,
};

/* Each is looked up by its id: for as many as may come, the planner would read the whole table into memory, when it is small. */
const entriesText = (kind: keyof typeof ENTRIES) => `
with e as materialized (
  select id from (${ENTRIES[kind]}) newest order by id desc limit $9
)
select array(
  select s.subject_id from e
  cross join lateral (
    select d.subject_id, d.portion, d.words from search_documents d
    where d.tenant_id = $1 and d.kind = ${kindNumber[kind]} and d.subject_id = e.id offset 0
  ) s
  where ${MATCHES} and (${HAS_TAGS[kind]})
  order by s.subject_id desc limit $6
) as ids,
case when (select count(*) from e) = $9 then (select id from e order by id limit 1) end as down_to`;

const IN_CONVERSATIONS: Readonly<Record<keyof typeof ENTRIES, Statement>> = {
  messages: { name: 'search_messages_of_conversations', camelCase: true, text: entriesText('messages') },
  notes: { name: 'search_notes_of_conversations', camelCase: true, text: entriesText('notes') },
  conversations: { name: 'search_conversations_among', camelCase: true, text: entriesText('conversations') },
};

/** What is looked through of some conversations. */
export interface Entries {
  readonly conversationIds: readonly string[];
  /** How many, the newest of all. */
  readonly count: number;
}

/** Looks through the newest entries of these conversations. Contacts are in none. */
export async function lookInConversations(
  db: SqlRunner,
  kind: SearchKind,
  look: Look,
  { conversationIds, count }: Entries,
): Promise<Looked> {
  if (kind === 'contacts') return { ids: [], downTo: null };
  return lookBy(db, IN_CONVERSATIONS[kind], [...parametersOf(look), plainArray(conversationIds), count]);
}

function statementOfEach(name: string, textOf: (kind: SearchKind) => string): Readonly<Record<SearchKind, Statement>> {
  const of = (kind: SearchKind, one: string) => ({
    name: `search_${one}_${name}`,
    camelCase: true,
    text: textOf(kind),
  });
  return {
    messages: of('messages', 'message'),
    notes: of('notes', 'note'),
    contacts: of('contacts', 'contact'),
    conversations: of('conversations', 'conversation'),
  };
}

function parametersOf({ tenantId, query, prefix, beforeId, fromId, limit, tags }: Look): readonly unknown[] {
  return [tenantId, query, prefix, beforeId, fromId, limit, [...tags]];
}

async function lookBy(db: SqlRunner, text: Statement, parameters: readonly unknown[]): Promise<Looked> {
  return (await firstRow(db.run<Looked>(text, parameters))) ?? { ids: [], downTo: null };
}
