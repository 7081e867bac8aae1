import type { MessageId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import type { EventType, StoredEvent } from '#events/domain/event';

/** Pages of changes of messages, and of types that nobody asks for, are passed over without reading what stands on them. */
const READ_TO_INDEX = statement('events_read_to_index')`
select p.first_seq, p.last_seq, case when p.types && $4::text[] then p.body end as body,
  case when p.news is null then p.message_ids end as message_ids
from event_pages p
where p.tenant_id = $1 and p.last_seq > $2
order by p.last_seq
limit $3`;

interface IndexedPageRow {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly body: string | null;
  readonly messageIds: readonly MessageId[] | null;
}

/** What was told after a number, for who keeps something that follows from it. */
export interface EventsToIndex {
  /** Messages that were accepted. */
  readonly queued: readonly MessageId[];
  /** Other events, of the types that were asked for; in order. */
  readonly events: readonly Pick<StoredEvent, 'type' | 'data'>[];
  /** The first and the last event of these pages, also of other types. */
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** The next whole pages of events after a number; null when there are none. @param asked.after the end of a page */
export async function readEventsToIndex(
  db: SqlRunner,
  asked: {
    readonly tenantId: TenantId;
    readonly after: number;
    readonly pages: number;
    readonly types: readonly EventType[];
  },
): Promise<EventsToIndex | null> {
  const { tenantId, after, pages, types } = asked;
  const { rows } = await db.run<IndexedPageRow>(READ_TO_INDEX, [tenantId, after, pages, [...types]]);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const wanted = new Set(types);
  const events = rows.flatMap(({ body }) => (body === null ? [] : (JSON.parse(body) as EventsToIndex['events'])));
  return {
    queued: rows.flatMap(({ messageIds }) => messageIds ?? []),
    events: events.filter(({ type }) => wanted.has(type)),
    firstSequence: first.firstSeq,
    lastSequence: last.lastSeq,
  };
}
