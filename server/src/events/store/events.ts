import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { plainArray } from '#database/arrays';
import { type Command, type SqlRunner, statement } from '#database/database';
import { idMadeMsSql } from '#database/id-time-sql';
import {
  type EventDraft,
  type EventType,
  eventId,
  eventIds,
  isWanted,
  marksOf,
  type StoredEvent,
} from '#events/domain/event';
import { type StageChange, stageEvent } from '#events/domain/message-events';
import { type MessageSum, QUARTER_MS } from '#events/domain/message-sums';
import { authorJson, authorKeySql } from '#events/store/message-author';
import { changeJson, takingNumbersSql, typeOfChangeSql } from '#events/store/message-events';

/** Events on one page: what one reader loads at least. */
const MAX_PAGE_EVENTS = 500;

const RECORD_EVENTS = statement('events_record', { insertsOnly: true })`
with input as materialized (
  select * from unnest($1::uuid[], $2::integer[], $3::text[], string_to_array($4::text, E'\\n'))
    as t (tenant_id, events, types, body)
), heads as (${takingNumbersSql('input')}
)
insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, body)
select i.tenant_id, h.last_seq, h.last_seq - i.events + 1, $5::bigint, string_to_array(i.types, ','), i.body
from input i join heads h on h.tenant_id = i.tenant_id`;

/**
 * What records the events that a transaction tells, in the order given. It belongs to the commit: from it on other transactions
 * with events of the same tenant wait. Operations use `withEvents`, which sees to that.
 */
export function recordingOf(drafts: readonly EventDraft[], recordedMs: number): readonly Command[] {
  const commands: Command[] = [];
  for (let rest = byTenant(drafts); rest.length > 0; rest = rest.flatMap(afterPage)) {
    const pages = rest.map(({ tenantId, events }) => ({ tenantId, events: events.slice(0, MAX_PAGE_EVENTS) }));
    const parameters = [
      plainArray(pages.map((page) => page.tenantId)),
      plainArray(pages.map((page) => page.events.length)),
      pages.map((page) => [...new Set(page.events.flatMap(marksOf))].join(',')),
      // JSON of ours has no line breaks: as an array each text would be escaped here and read back there.
      pages.map((page) => JSON.stringify(page.events.map(({ type, data }) => ({ type, data })))).join('\n'),
      recordedMs,
    ];
    commands.push({ statement: RECORD_EVENTS, parameters });
  }
  return commands;
}

function afterPage({ tenantId, events }: TenantDrafts): readonly TenantDrafts[] {
  return events.length > MAX_PAGE_EVENTS ? [{ tenantId, events: events.slice(MAX_PAGE_EVENTS) }] : [];
}

interface TenantDrafts {
  readonly tenantId: TenantId;
  readonly events: readonly EventDraft[];
}

function byTenant(drafts: readonly EventDraft[]): readonly TenantDrafts[] {
  const groups = new Map<TenantId, EventDraft[]>();
  for (const draft of drafts) {
    const group = groups.get(draft.tenantId);
    if (group) group.push(draft);
    else groups.set(draft.tenantId, [draft]);
  }
  return [...groups].map(([tenantId, events]) => ({ tenantId, events }));
}

/** What `message.queued` tells of a row of `outbound_messages`; null of a row that is not there. */
export function queuedMessageJson(alias: string): string {
  const columns = ['type', 'phone_number_id', 'campaign_name', 'client_ref', 'conversation_id', 'contact_id'];
  const template = `'template', case when ${alias}.type = 'template' then ${alias}.content ->> 'name' end`;
  const named = columns.map((column) => `'${column}', ${alias}.${column}`).join(', ');
  return `case when ${alias}.message_id is not null then json_build_object('id', ${alias}.message_id, 'status', 'queued',
      'to', ${alias}.to_phone, ${named}, 'author', ${authorJson(alias)}, ${template}) end`;
}

/** Pages that one statement reads. */
const PAGES_AT_ONCE = 16;

/** Where the events after $2 begin among those of a page. */
const FROM_PLACE = 'greatest($2::bigint - p.first_seq + 2, 1)';

/**
 * The message `i` on page `p`. Each is looked up by its key, whatever the statistics say: hence the offset, which the planner does not see through. While
 * it took a tenant's messages for few, it read all of them for each page.
 */
const MESSAGE_OF_PLACE =
  'select * from outbound_messages o where o.tenant_id = p.tenant_id and o.message_id = i.message_id offset 0';

/**
 * Pages with as many events as are wanted, or as many as one statement reads. What an event tells of a message is read from it:
 * storing it again for each message cost more than the rest of the event together. So no page yields more than is wanted of it.
 */
const READ_PAGES = statement('events_read_pages')`
select p.first_seq, p.last_seq, p.recorded_ms, p.body, case when p.message_ids is not null then (
    select json_agg(json_build_object('place', i.place,
      'queued', case when i.news is null then coalesce(${queuedMessageJson('m')}, json_build_object('id', i.message_id)) end,
      'news', case when i.news is not null then ${changeJson('i.news', 'i.at_ms', 'p.errors -> i.message_id::text')} end)
      order by i.place)
    from (
      select u.message_id, u.news, u.at_ms, ${FROM_PLACE} - 1 + u.place as place
      from unnest(p.message_ids[${FROM_PLACE}:], p.news[${FROM_PLACE}:], p.at_ms[${FROM_PLACE}:])
        with ordinality as u (message_id, news, at_ms, place)
      where $3::text[] is null or ${typeOfChangeSql('u.news')} = any($3::text[])
      order by u.place limit $4
    ) i
    left join lateral (${MESSAGE_OF_PLACE}) m on true
  ) end as told
from (
  select c.*, sum(c.wanted) over (order by c.last_seq) - c.wanted as before
  from (
    select p.*, case when $3::text[] is not null and p.news is not null
      then (select count(*) from unnest(p.news[${FROM_PLACE}:]) as news where ${typeOfChangeSql('news')} = any($3::text[]))
      else p.last_seq - greatest(p.first_seq - 1, $2::bigint) end as wanted
    from event_pages p
    where p.tenant_id = $1 and p.last_seq > $2 and ($3::text[] is null or p.types && $3::text[])
    order by p.last_seq limit ${PAGES_AT_ONCE}
  ) c
) p
where p.before < $4
order by p.last_seq`;

interface PageRow {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly recordedMs: number;
  readonly body: string | null;
  readonly told: readonly ReportedRow[] | null;
}

/** An event of a message: `place` on its page, from 1, and one of the others. */
interface ReportedRow {
  readonly place: number;
  readonly queued: JsonObject | null;
  readonly news: StageChange | null;
}

export interface ReadEvents {
  readonly tenantId: TenantId;
  /** Number of the last event that the reader has; 0 for all. */
  readonly after: number;
  /** Null: all types that need not be named. */
  readonly types: readonly EventType[] | null;
  readonly limit: number;
}

/** The next events after a number, in order: none that commits later can come before one of them. */
export async function readEvents(
  db: SqlRunner,
  { tenantId, after, types, limit }: ReadEvents,
): Promise<readonly StoredEvent[]> {
  const wanted = types === null ? null : new Set(types);
  const found: StoredEvent[] = [];
  let last = after;
  while (found.length < limit) {
    const { rows } = await db.run<PageRow>(READ_PAGES, [tenantId, last, types, limit - found.length]);
    for (const event of rows.flatMap((row) => eventsOf(tenantId, row))) {
      if (event.sequence > after && isWanted(wanted, event.type)) found.push(event);
    }
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.lastSeq;
  }
  return found.slice(0, limit);
}

function eventsOf(tenantId: TenantId, row: PageRow): readonly StoredEvent[] {
  if (row.body !== null) return numbered(tenantId, row, toldIn(row.body));
  const idOf = eventIds(tenantId, row.recordedMs);
  return (row.told ?? []).map((told) => {
    const sequence = row.firstSeq + told.place - 1;
    return { id: idOf(sequence), sequence, recordedMs: row.recordedMs, ...messageEvent(told) };
  });
}

type Told = Pick<StoredEvent, 'type' | 'data'>;

function messageEvent({ queued, news }: ReportedRow): Told {
  return news === null ? { type: 'message.queued', data: queued ?? {} } : stageEvent(news);
}

function toldIn(body: string): readonly Told[] {
  return JSON.parse(body) as readonly Told[];
}

function numbered(
  tenantId: TenantId,
  { firstSeq: first, recordedMs }: Pick<PageRow, 'firstSeq' | 'recordedMs'>,
  told: readonly Told[],
): readonly StoredEvent[] {
  const idOf = eventIds(tenantId, recordedMs);
  return told.map(({ type, data }, index) => {
    const sequence = first + index;
    return { id: idOf(sequence), sequence, type, recordedMs, data };
  });
}

/** When a message was accepted, in quarters of an hour since 1970. */
const QUARTER_OF_ID = `(${idMadeMsSql('i.message_id')} / ${QUARTER_MS})::integer`;

/**
 * What events of messages come to: that of accepted ones is added up here, that of their news stands on the page. Telling and
 * reading each of them cost more than all that the sums need else.
 */
const READ_TO_COUNT = statement('events_read_to_count', { hot: true })`
select p.first_seq, p.last_seq, p.recorded_ms, p.body, coalesce(p.sums, case when p.message_ids is not null then (
    select json_agg(json_build_object('stage', 0, 'quarter', g.quarter, 'phoneNumberId', g.phone_number_id, 'type', g.type,
      'template', g.template, 'campaignName', g.campaign_name, 'category', null, 'error', null, 'author', g.author, 'count', g.count))
    from (
      select ${QUARTER_OF_ID} as quarter, m.phone_number_id, m.type,
        case when m.type = 'template' then m.content ->> 'name' end as template, m.campaign_name, ${authorKeySql('m')} as author,
        count(*) as count
      from unnest(p.message_ids[${FROM_PLACE}:]) as i (message_id)
      left join lateral (${MESSAGE_OF_PLACE}) m on true
      group by 1, 2, 3, 4, 5, 6
    ) g
  ) end) as sums
from (
  select n.*, n.first_seq - first_value(n.first_seq) over (order by n.last_seq) as events_before
  from event_pages n where n.tenant_id = $1 and n.last_seq > $2
    and not exists (select from analytics_cursors c where c.tenant_id = $1 and c.last_seq <> $2)
  order by n.last_seq limit $3
) p
where p.events_before < $4
order by p.last_seq`;

interface CountedPageRow extends Omit<PageRow, 'told'> {
  readonly sums: readonly MessageSum[] | null;
}

/** What was told after a number, for sums. */
export interface EventsToCount {
  /** Those that are no message's, or were told one by one; in order. */
  readonly events: readonly StoredEvent[];
  /** What the others come to. */
  readonly sums: readonly MessageSum[];
  /** The last event of these, and when it was recorded. */
  readonly lastSequence: number;
  readonly recordedMs: number;
}

export interface PagesToCount {
  readonly tenantId: TenantId;
  /** The end of a page, or a place among messages that were accepted together. */
  readonly after: number;
  /** At most. */
  readonly pages: number;
  /** No page that begins after so many. */
  readonly events: number;
}

/**
 * The next whole pages of events after a number; null when there are none, or when the sums have come further meanwhile.
 */
export async function readEventsToCount(
  db: SqlRunner,
  { tenantId, after, pages, events: most }: PagesToCount,
): Promise<EventsToCount | null> {
  const { rows } = await db.run<CountedPageRow>(READ_TO_COUNT, [tenantId, after, pages, most]);
  const last = rows.at(-1);
  if (last === undefined) return null;
  const events = rows.flatMap((row) => (row.body === null ? [] : numbered(tenantId, row, toldIn(row.body))));
  return {
    events: events.filter(({ sequence }) => sequence > after),
    sums: rows.flatMap((row) => row.sums ?? []),
    lastSequence: last.lastSeq,
    recordedMs: last.recordedMs,
  };
}

const LAST_SEQUENCE = statement('events_last_sequence')`select last_seq from event_heads where tenant_id = $1`;

/** Number of a tenant's newest event; 0 when there is none. */
export async function lastSequence(db: SqlRunner, tenantId: TenantId): Promise<number> {
  const { rows } = await db.run<{ lastSeq: number }>(LAST_SEQUENCE, [tenantId]);
  return rows[0]?.lastSeq ?? 0;
}

const BOUNDS = statement('events_bounds')`
select h.last_seq, n.recorded_ms as newest_ms, coalesce(
  (select p.first_seq from event_pages p where p.tenant_id = h.tenant_id order by p.last_seq limit 1), h.last_seq + 1
) as oldest_seq, (
  select case when p.first_seq <= $2 then p.recorded_ms end from event_pages p
  where p.tenant_id = h.tenant_id and p.last_seq >= $2 order by p.last_seq limit 1
) as place_ms
from event_heads h
left join event_pages n on n.tenant_id = h.tenant_id and n.last_seq = h.last_seq
where h.tenant_id = $1`;

/** What is kept of a tenant's events. */
export interface EventBounds {
  /** Number of the oldest one; one more than `lastSeq` when none is kept. */
  readonly oldestSeq: number;
  /** Number of the newest one ever; 0 when there was none. */
  readonly lastSeq: number;
  /** Id of the newest one; null when it is not kept. */
  readonly newestId: string | null;
  /** Id of the event with the number that was asked about; null when it is not kept. */
  readonly placeId: string | null;
}

/** @param place number of an event whose id is wanted too */
export async function readEventBounds(db: SqlRunner, tenantId: TenantId, place = 0): Promise<EventBounds> {
  const { rows } = await db.run<BoundsRow>(BOUNDS, [tenantId, place]);
  const [row] = rows;
  if (row === undefined) return { oldestSeq: 1, lastSeq: 0, newestId: null, placeId: null };
  const { oldestSeq, lastSeq, newestMs, placeMs } = row;
  const idOf = (sequence: number, ms: number | null) => (ms === null ? null : eventId(tenantId, sequence, ms));
  return { oldestSeq, lastSeq, newestId: idOf(lastSeq, newestMs), placeId: idOf(place, placeMs) };
}

interface BoundsRow {
  readonly oldestSeq: number;
  readonly lastSeq: number;
  readonly newestMs: number | null;
  readonly placeMs: number | null;
}

/** One event of any type by its number; null when there is none, or it is no longer kept. */
export async function findEvent(db: SqlRunner, tenantId: TenantId, sequence: number): Promise<StoredEvent | null> {
  const { rows } = await db.run<PageRow>(READ_PAGES, [tenantId, sequence - 1, null, 1]);
  return rows.flatMap((row) => eventsOf(tenantId, row)).find((event) => event.sequence === sequence) ?? null;
}

const FIRST_SINCE = statement('events_first_since')`
select first_seq from event_pages where tenant_id = $1 and recorded_ms >= $2 order by last_seq limit 1`;

/** Number of the first event that was recorded at or after a time, as far as it is kept; one more than the newest without any. */
export async function firstSequenceSince(db: SqlRunner, tenantId: TenantId, sinceMs: number): Promise<number> {
  const { rows } = await db.run<{ firstSeq: number }>(FIRST_SINCE, [tenantId, sinceMs]);
  return rows[0]?.firstSeq ?? (await lastSequence(db, tenantId)) + 1;
}
