/*
 * The sums of a seeded inbox, counted from its rows: what the service would have added up event by event.
 */

const MESSAGE_DIMENSIONS = [
  ["'all'", "''"],
  ["'number'", 'phone_number_id'],
  ["'type'", 'type'],
  ["'campaign'", 'campaign_name'],
  ["'template'", "case when type = 'template' then content ->> 'name' end"],
  ["'category'", "pricing ->> 'category'"],
  ["'error'", "error ->> 'code'"],
] as const;

const outbound = MESSAGE_DIMENSIONS.map(
  ([dimension, key]) => `
insert into analytics_messages (tenant_id, dimension, key, quarter, accepted, sent, delivered, read, failed, replied)
select tenant_id, ${dimension}, ${key}, created_ms / 900000, count(*), count(accepted_ms), count(delivered_ms), count(read_ms),
  count(*) filter (where status = 'failed'), count(replied_ms)
from outbound_messages where ${key} is not null group by 1, 2, 3, 4`,
);

const inbound = MESSAGE_DIMENSIONS.slice(0, 3).map(
  ([dimension, key]) => `
insert into analytics_messages (tenant_id, dimension, key, quarter, received)
select tenant_id, ${dimension}, ${key}, created_ms / 900000, count(*) from inbound_messages group by 1, 2, 3, 4
on conflict (tenant_id, dimension, key, quarter) do update set received = excluded.received`,
);

const CONVERSATION_DIMENSIONS = [
  ["'all'", "''"],
  ["'number'", 'phone_number_id'],
  ["'agent'", 'assignee_id::text'],
  ["'team'", 'team_id::text'],
  ["'tag'", 'tags[1]'],
  ["'handled_by'", 'handled_by'],
] as const;

const counts = CONVERSATION_DIMENSIONS.map(
  ([dimension, key]) => `
insert into analytics_conversations (tenant_id, dimension, key, quarter, opened, resolved, assigned, replies)
select tenant_id, ${dimension}, key, quarter, sum(opened), sum(resolved), sum(opened), sum(replies)
from (
  select tenant_id, ${key} as key, created_ms / 900000 as quarter, 1 as opened, 0 as resolved, 0 as replies from conversations
  union all
  select tenant_id, ${key}, resolved_ms / 900000, 0, 1, 0 from conversations where resolved_ms is not null
  union all
  select tenant_id, ${key}, first_response_ms / 900000 + n, 0, 0, 1 from conversations, generate_series(0, 2) n
) c where key is not null group by 1, 2, 3, 4`,
);

/** The buckets of core/duration-histogram.ts. */
const bucket = (ms: string) =>
  `case when ${ms} < 1000 then 0 else 1 + floor(ln(${ms} / 1000.0) / ln(1.1))::integer end`;
/** What lies within hours is a third. */
const BUSINESS_DIVISOR = 3;

/** A row for each duration, by the clock and within hours: of the replies each one waits less than the one before. */
const TIMES = `
create temporary table times as
select c.tenant_id, c.phone_number_id, c.assignee_id::text, c.team_id::text, c.tags[1] as tag, c.handled_by, (d.at / 900000)::integer as quarter,
  d.what || w.suffix as what, ${bucket('(d.took / w.divisor)')} as bucket
from conversations c
cross join lateral (
  select first_response_ms as at, 'first_response' as what, first_response_ms - created_ms as took
  union all
  select first_response_ms + n * 900000, 'reply', (first_response_ms - created_ms) / (n + 1) from generate_series(0, 2) n
  union all
  select resolved_ms, 'resolution', resolved_ms - created_ms where resolved_ms is not null
) d
cross join (values ('', 1), ('_business', ${BUSINESS_DIVISOR})) w (suffix, divisor)`;

const NAMES = [
  'first_response',
  'first_response_business',
  'reply',
  'reply_business',
  'resolution',
  'resolution_business',
];

const histogram = (what: string) =>
  `coalesce('[' || string_agg(bucket || ',' || n, ',' order by bucket) filter (where what = '${what}') || ']', '[]')`;

function durations(dimension: string, key: string, span: number): string {
  return `
insert into analytics_durations (tenant_id, dimension, key, span, quarter, ${NAMES.join(', ')})
select tenant_id, ${dimension}, key, ${span}, quarter, ${NAMES.map(histogram).join(', ')}
from (
  select tenant_id, ${key} as key, quarter / ${span} * ${span} as quarter, what, bucket, count(*) as n
  from times where ${key} is not null group by 1, 2, 3, 4, 5
) g group by tenant_id, key, quarter`;
}

const TIMED_DIMENSIONS = [
  ["'all'", "''::text"],
  ["'number'", 'phone_number_id'],
  ["'agent'", 'assignee_id'],
  ["'team'", 'team_id'],
  ["'tag'", 'tag'],
  ["'handled_by'", 'handled_by'],
] as const;

const times = TIMED_DIMENSIONS.flatMap(([dimension, key]) =>
  [1, 96, 1536].map((span) => durations(dimension, key, span)),
);

const days = [
  [
    'analytics_messages',
    'analytics_message_days',
    ['accepted', 'sent', 'delivered', 'read', 'failed', 'replied', 'received'],
  ],
  ['analytics_conversations', 'analytics_conversation_days', ['opened', 'reopened', 'resolved', 'assigned', 'replies']],
].map(([from, to, measures]) => {
  const sums = (measures as readonly string[]).map((measure) => `sum(${measure})`);
  return `
insert into ${to} (tenant_id, dimension, key, quarter, ${(measures as readonly string[]).join(', ')})
select tenant_id, dimension, key, quarter / 96 * 96, ${sums.join(', ')} from ${from} group by 1, 2, 3, 4`;
});

/** Every report then says that it is complete. */
const cursor = `
insert into analytics_cursors (tenant_id, last_seq, as_of_ms)
select tenant_id, last_seq, extract(epoch from now()) * 1000 from event_heads
on conflict (tenant_id) do update set last_seq = excluded.last_seq`;

const [messageDays = '', conversationDays = ''] = days;

export const messageSums: readonly string[] = [...outbound, ...inbound, messageDays, cursor];
/** On one connection: it uses a temporary table. */
export const conversationSums: readonly string[] = [...counts, conversationDays, TIMES, 'analyze times', ...times];
