import { type DatabasePlace, type OpenedDatabase, openDatabase } from '../../harness/open-database.ts';
import { PHONE_NUMBER_ID } from '../../harness/server.ts';
import { conversationSums, messageSums } from './seed-inbox-sums.ts';

export interface SeedInbox {
  /** Of both directions together, over DAYS. */
  readonly messages: number;
  readonly nowMs: number;
  readonly say: (line: string) => void;
}

export const DAYS = 90;
export const MESSAGES_PER_CONVERSATION = 20;
export const AGENTS = 50;
export const TEAMS = 5;
export const NUMBERS = 5;
const SPAN_MS = DAYS * 24 * 3600 * 1000;
/** Rows per statement. */
const BATCH = 250_000;
const TABLES = ['outbound_messages', 'inbound_messages', 'conversations', 'contacts'];
const SUM_TABLES = [
  'analytics_messages',
  'analytics_message_days',
  'analytics_conversation_days',
  'analytics_conversations',
  'analytics_durations',
  'agents',
  'teams',
];

/** Ids of agents and teams are those of their places. */
export const placeId = (kind: 'a' | 'b', place: number): string =>
  `0190a6f2-9a00-7b00-8c00-${kind}${String(place).padStart(11, '0')}`;

/**
 * Fills a tenant as a busy inbox of 90 days is: of each ten messages six went out and four came in, twenty make a
 * conversation, one conversation in twenty is not resolved. Sums and histograms are counted from these rows by separate
 * SQL. Secondary indexes are created afterwards: that takes a third of the time. Events are left out: no report reads
 * them, and 40 million would take more room than the messages.
 */
export async function seedInbox(place: DatabasePlace, { messages, nowMs, say }: SeedInbox): Promise<void> {
  const [database, second] = [await openDatabase(place), await openDatabase(place)];
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const startMs = performance.now();
    await work();
    say(`  ${what}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  };
  try {
    for (const one of [database, second]) await inOrder(one, SESSION);
    const conversations = Math.ceil(messages / MESSAGES_PER_CONVERSATION);
    const indexes = await dropIndexes(database);
    await inOrder(database, [NUMBER_ROWS, AGENT_ROWS, TEAM_ROWS]);
    const common = [nowMs - SPAN_MS, SPAN_MS] as const;
    await timed('contacts and conversations', async () => {
      await inBatches(database, CONTACTS, conversations, common);
      await inBatches(database, CONVERSATIONS, conversations, [...common, conversations, messages - sentOf(messages)]);
      await database.query(LAST_NUMBER);
      await database.query('analyze conversations');
    });
    // On two connections: what belongs to conversations needs no message.
    await Promise.all([
      timed('messages, indexes and sums of messages', () =>
        seedMessages(database, { messages, conversations, common, indexes }),
      ),
      timed('sums of conversations', () => inOrder(second, conversationSums)),
    ]);
    const tables = [...TABLES, ...SUM_TABLES].map((table) => `vacuum analyze ${table}`);
    await timed('statistics', () => inOrder(database, [...tables, 'checkpoint']));
  } finally {
    await Promise.all([database.close(), second.close()]);
  }
}

interface SeedMessages {
  readonly messages: number;
  readonly conversations: number;
  /** Where the time begins, and how long it is. */
  readonly common: readonly [number, number];
  readonly indexes: readonly string[];
}

/** How many of the messages went out. */
const sentOf = (messages: number): number => Math.ceil(messages * 0.6);

async function seedMessages(
  database: OpenedDatabase,
  { messages, conversations, common, indexes }: SeedMessages,
): Promise<void> {
  const sent = sentOf(messages);
  const received = messages - sent;
  await inBatches(database, OUTBOUND, sent, [...common, sent, conversations]);
  await inBatches(database, INBOUND, received, [...common, received, conversations]);
  await inOrder(database, indexes);
  await inOrder(database, ['analyze outbound_messages', 'analyze inbound_messages', ...messageSums]);
}

async function inOrder(database: OpenedDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await database.query(statement);
}

/** Nothing of it needs to survive a crash: the run begins again then. */
const SESSION = [
  'set synchronous_commit = off',
  "set maintenance_work_mem = '512MB'",
  "set work_mem = '256MB'",
  'set jit = off',
];

/** Takes away every index that is not a constraint. @returns the statements that make them again */
async function dropIndexes(database: OpenedDatabase): Promise<readonly string[]> {
  const rows = await database.query(
    `select i.indexname as name, i.indexdef as definition from pg_indexes i
     where i.tablename = any($1::text[])
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
    [TABLES],
  );
  for (const { name } of rows) await database.query(`drop index ${String(name)}`);
  return rows.map(({ definition }) => String(definition));
}

async function inBatches(
  database: OpenedDatabase,
  statement: string,
  count: number,
  parameters: readonly number[],
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await database.query(statement, [from, Math.min(count, from + BATCH) - 1, ...parameters]);
  }
}

const TENANT = '(select tenant_id from tenants order by created_ms limit 1) t';
/** A uuid of version 7 of a time and a number: in the order of time as ours are, and another for each kind of row. */
const id = (ms: string, kind: string, n = 'n') =>
  `(lpad(to_hex(${ms}), 12, '0') || '7${kind}8000' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** Spread without a pattern: the same for the same number. */
const mixed = (n: string, salt: number) =>
  `((${n})::bigint * ${2_654_435 + salt * 1_234_567} % 1000003 * 7919 % 1000003)`;
const NUMBER = (n: string) =>
  `case ${n} % ${NUMBERS} when 0 then '${PHONE_NUMBER_ID}' else '20000000000000' || (${n} % ${NUMBERS}) end`;

const NUMBER_ROWS = `
insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms)
select t.tenant_id, '20000000000000' || n, '1555020000' || n, 1 from ${TENANT}, generate_series(1, ${NUMBERS - 1}) n`;

const AGENT_ROWS = `
insert into agents (tenant_id, agent_id, name, role, max_open, created_ms, updated_ms)
select t.tenant_id, ('0190a6f2-9a00-7b00-8c00-a' || lpad(n::text, 11, '0'))::uuid, 'Agent ' || n, 'agent', 10000, 1, 1
from ${TENANT}, generate_series(0, ${AGENTS - 1}) n`;

const TEAM_ROWS = `
insert into teams (tenant_id, team_id, name, policy, created_ms, updated_ms)
select t.tenant_id, ('0190a6f2-9a00-7b00-8c00-b' || lpad(n::text, 11, '0'))::uuid, 'Team ' || n, 'manual', 1, 1
from ${TENANT}, generate_series(0, ${TEAMS - 1}) n`;

/** $1 to $2 are the numbers of the rows, $3 the beginning, $4 the length of the time. */
const CONTACTS = `
insert into contacts (tenant_id, contact_id, phone, name, created_ms, updated_ms)
select t.tenant_id, ${id('1', '00f')}, (15550000000 + n)::text, 'Customer ' || to_hex(${mixed('n', 1)}), $3::bigint, $3::bigint + $4::bigint
from ${TENANT}, generate_series($1::bigint, $2::bigint) n`;

/** The time at which a conversation begins, and the number of the conversation; $5 is how many there are. */
const BEGINS = `($3::bigint + n * ($4::bigint / $5::bigint))`;

/** Number and time of the last inbound message of a conversation; $6 is how many of them there are. */
const LAST = '(((n + 1) * $6::bigint - 1) / $5::bigint)';
const LAST_AT = `($3::bigint + ${LAST} * $4::bigint / $6::bigint)`;

const CONVERSATIONS = `
insert into conversations (
  tenant_id, conversation_id, contact_id, phone_number_id, number, status, unread_count, last_message_ms, last_inbound_ms,
  window_expires_ms, created_ms, updated_ms, assignee_id, team_id, priority, tags, handled_by, waiting_since_ms,
  first_response_ms, last_outbound_ms, last_message_id, last_message_inbound, last_message_type, last_message_preview, opened_ms, resolved_ms,
  snoozed_until_ms, links_due)
select t.tenant_id, ${id('1', '00c')}, ${id('1', '00f')}, ${NUMBER('n')}, n + 1, s.status,
  case when s.status = 'open' and m.b % 2 = 0 then 1 + m.b % 5 else 0 end, s.ended, s.ended, s.ended + 86400000, s.began, s.ended,
  case when m.a % 5 = 0 then null else ('0190a6f2-9a00-7b00-8c00-a' || lpad((m.a % ${AGENTS})::text, 11, '0'))::uuid end,
  case when m.a % 3 = 0 then null else ('0190a6f2-9a00-7b00-8c00-b' || lpad((m.a % ${TEAMS})::text, 11, '0'))::uuid end,
  (array['low', 'normal', 'normal', 'normal', 'normal', 'normal', 'normal', 'high', 'high', 'urgent'])[1 + m.b % 10],
  case when m.b % 2 = 0 then '{}' else array['tag-' || m.b % 20] end, (array['none', 'agent', 'agent', 'bot'])[1 + m.b % 4],
  case when s.status = 'open' and m.b % 2 = 0 then s.ended - 60000 end, s.began + 1000 + (m.a * m.a) % 3000017,
  s.ended, ${id(LAST_AT, '00b', LAST)}, true, 'text', 'Where is my parcel? It was to come yesterday.', s.began, case when s.status = 'resolved' then s.ended end,
  case when s.status = 'snoozed' then s.ended + 90 * 86400000::bigint end, false
from ${TENANT}, generate_series($1::bigint, $2::bigint) n
cross join lateral (select ${mixed('n', 2)} as a, ${mixed('n', 3)} as b, ${mixed('n', 5)} / 10000 as s) m
cross join lateral (
  select ${BEGINS} as began, least(${BEGINS} + 4000000 + m.a * 200, $3::bigint + $4::bigint) as ended,
    case when m.s < 3 then 'open' when m.s = 3 then 'pending' when m.s = 4 then 'snoozed' else 'resolved' end as status
) s`;

/** Conversations that begin later are numbered from there on. */
const LAST_NUMBER = `
insert into conversation_numbers (tenant_id, last_number) select tenant_id, max(number) from conversations group by tenant_id
on conflict (tenant_id) do update set last_number = excluded.last_number`;

/** $5 is how many messages of this kind there are, $6 how many conversations. */
const SENT_AT = `($3::bigint + n * $4::bigint / $5::bigint)`;
const IN_CONVERSATION = `(n * $6::bigint / $5::bigint)`;

const OUTBOUND = `
insert into outbound_messages (
  tenant_id, message_id, type, to_phone, phone_number_id, content, campaign_name, priority, expires_ms, created_ms, updated_ms, status,
  attempts, network_message_id, accepted_ms, sent_ms, sent_learned_ms, delivered_ms, delivered_learned_ms, read_ms, read_learned_ms,
  pricing, error, contact_id, conversation_id, replied_ms)
select t.tenant_id, ${id('m.at', '00a')}, case when n % 3 = 0 then 'template' else 'text' end, (15550000000 + m.c)::text,
  ${NUMBER('m.c')}, case when n % 3 = 0 then ('{"name":"template_' || n % 20 || '","language":"en"}')::jsonb
    else '{"body":"Your order 4711 left the warehouse and arrives tomorrow between 9 and 12."}'::jsonb end,
  case when n % 6 = 0 then 'campaign-' || m.a % 50 end, 1, m.at + 86400000, m.at, m.at + 3000,
  case when m.a % 50 = 0 then 'failed' else 'sent' end, 1, 'wamid.seed' || n, m.at, m.at, m.at,
  case when m.a % 50 > 1 then m.at + 1000 end, case when m.a % 50 > 1 then m.at + 1000 end,
  case when m.a % 50 > 15 then m.at + 3000 end, case when m.a % 50 > 15 then m.at + 3000 end,
  case when m.a % 50 > 1 then '{"category":"utility","billable":true,"model":"PMP"}'::jsonb end,
  case when m.a % 50 = 0 then '{"code":"recipient_unreachable","message":"x","networkCode":131026,"retryable":false}'::jsonb end,
  ${id('1', '00f', 'm.c')}, ${id('1', '00c', 'm.c')}, case when m.a % 50 > 35 then m.at + 60000 end
from ${TENANT}, generate_series($1::bigint, $2::bigint) n
cross join lateral (select ${SENT_AT} as at, ${IN_CONVERSATION} as c, ${mixed('n', 4)} as a) m`;

const INBOUND = `
insert into inbound_messages (
  tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, type, body, content, contact_id, conversation_id,
  network_ms, created_ms)
select t.tenant_id, ${id('m.at', '00b')}, 'wamid.in' || n, ${NUMBER('m.c')}, (15550000000 + m.c)::text, (15550000000 + m.c)::text,
  'text', 'Where is my parcel? It was to come yesterday.', '{}', ${id('1', '00f', 'm.c')}, ${id('1', '00c', 'm.c')}, m.at, m.at
from ${TENANT}, generate_series($1::bigint, $2::bigint) n
cross join lateral (select ${SENT_AT} as at, ${IN_CONVERSATION} as c) m`;
