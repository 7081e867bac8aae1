import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import { ERASED } from '#core/erasure';
import type { DispatcherId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { queueState } from '#core/queue-state';
import { columnsOf, plainArray, tokenArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { phoneKeySql } from '#database/phone-key-sql';
import { priorityRank } from '#messages/domain/message';
import type { NumberLaneKey } from './leases.ts';

/*
 * The queue of messages owed a send: statements over the lanes of a dispatcher, hence over several tenants. They lock
 * no row except by primary key joined on tenant_id.
 */

/** A ready row, looked at but not claimed. */
export interface Candidate {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly messageId: MessageId;
  readonly priority: number;
  readonly dueMs: number;
  readonly expiresMs: number;
  readonly to: string;
  readonly pairReserved: boolean;
}

/**
 * The head of the queue of each of these lanes and each priority. The lanes come with their tenants, so that they are found by key: by
 * their numbers alone each look read every lane of the installation. The owner is compared as a text, so that no index of it is used: that would read all lanes of this process. No row is locked: only the owner claims, and the claim itself is fenced by the epoch.
 * What is accepted after a pause was committed is never found: the owner itself learns of the pause up to a second later.
 * The rows are ordered outside once more: joins promise no order, and plans exist that turn the one of the inner query around.
 *
 * The lower bound keeps a look from walking over the index entries of all that has left since the oldest snapshot that somebody holds: they
 * stay until it ends. It is no constant, so that the planner expects few rows and takes the index; without it, it scanned the whole
 * table three times as soon as that was larger than what waits (measured after 80,000 messages: 40 ms for 54 rows). It comes from a
 * parameter by what `lane_owners` says.
 */
const FIND_CANDIDATES = statement('queue_candidates', { hot: true })`
select q.* from unnest($2::uuid[], $3::text[]) as t (tenant_id, phone_number_id)
join lane_owners l on l.tenant_id = t.tenant_id and l.lane_id = t.phone_number_id
join phone_numbers n on n.tenant_id = l.tenant_id and n.phone_number_id = l.lane_id
cross join (values (0::smallint), (1::smallint), (2::smallint)) as p (priority)
cross join lateral (
  select s.tenant_id, s.phone_number_id, s.message_id, s.priority, s.due_ms, s.expires_ms, s.to_phone as "to", s.pair_reserved
  from send_queue s
  where s.tenant_id = l.tenant_id and s.phone_number_id = l.lane_id and s.state = ${queueState.ready}
    and s.priority = p.priority and s.due_ms <= $4
    and s.due_ms >= coalesce(($6::jsonb -> (l.tenant_id::text || '/' || l.lane_id) ->> p.priority::integer)::bigint, 0)
  order by s.due_ms, s.message_id
  limit $5
) q
where l.owner_id::text = $1::uuid::text and n.status <> 'paused' and n.removed_ms is null
  and l.tenant_id <> all(${INACTIVE_TENANTS})
order by q.due_ms, q.message_id`;

/** Due times from which on the queue of a lane is looked at, by priority. */
export type HeadsFrom = readonly [number, number, number];

export interface CandidateQuery {
  readonly owner: DispatcherId;
  /** Without bounds, or with null: from the start. */
  readonly lanes: readonly (Omit<NumberLaneKey, 'epoch'> & { readonly fromMs?: HeadsFrom | null })[];
  readonly nowMs: number;
  /** Per lane and priority. */
  readonly limit: number;
}

/** @returns the oldest first */
export async function findCandidates(db: SqlRunner, query: CandidateQuery): Promise<readonly Candidate[]> {
  const bounded = query.lanes.filter((lane) => (lane.fromMs ?? null) !== null);
  const bounds = bounded.map((lane) => [`${lane.tenantId}/${lane.phoneNumberId}`, lane.fromMs] as const);
  const { rows } = await db.run<Candidate>(FIND_CANDIDATES, [
    query.owner,
    plainArray(query.lanes.map((lane) => lane.tenantId)),
    tokenArray(query.lanes.map((lane) => lane.phoneNumberId)),
    query.nowMs,
    query.limit,
    JSON.stringify(Object.fromEntries(bounds)),
  ]);
  return rows;
}

/** A message whose send is durable intent now. */
export interface ClaimedMessage {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly messageId: MessageId;
  readonly epoch: number;
  /** Number of this attempt, 1 for the first. */
  readonly attempt: number;
  readonly dueMs: number;
  readonly expiresMs: number;
  /** How many copies besides the first were decided on while its outcome was unknown. */
  readonly resends: number;
  readonly to: string;
  readonly type: string;
  readonly content: JsonObject;
  /** The step of its trace in which it was accepted; null or absent: traces were off. */
  readonly traceParent?: string | null;
  /** The network's id of the message this one answers, when it is known. */
  readonly replyToNetworkId: string | null;
  /** Why the message may not leave: its recipient was erased, or refused marketing meanwhile. Null: it may. */
  readonly silence: 'contact_blocked' | 'contact_opted_out' | 'contact_erased' | null;
}

/**
 * Marketing asks here for the last time whether its recipient wants it: whoever accepted it knew that as it was up to a
 * second before. A refusal that is committed is seen, and one that is not finds the message claimed. Other messages ask
 * nothing. The durable mark "sending", made before any byte leaves. Fenced: the lane must still be ours in this epoch, and the
 * row must still be ready (not canceled, not settled by a status). Its state and the
 * owner of its lane are expressions, so that both are found by their keys: without statistics the planner would look among all that are ready, and
 * among all lanes of the owner. The offset, which the planner does not see through, keeps it from reading all lanes of a tenant that has many
 * when most tenants have one.
 */
const QUEUE_CLAIM = statement('queue_claim', { hot: true })`
with claimed as (
  update send_queue q set state = ${queueState.claimed}, epoch = t.epoch, attempts = q.attempts + 1
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::bigint[]) as t (tenant_id, message_id, phone_number_id, epoch)
  where q.tenant_id = t.tenant_id and q.message_id = t.message_id and q.state + 0 = ${queueState.ready}
    and q.tenant_id <> all(${INACTIVE_TENANTS})
    and exists (
      select 1 from lane_owners l
      where l.tenant_id = t.tenant_id and l.lane_id = t.phone_number_id and l.owner_id::text = $1::uuid::text and l.epoch = t.epoch offset 0)
  returning q.tenant_id, q.message_id, q.phone_number_id, q.epoch, q.attempts as attempt, q.due_ms, q.expires_ms, q.resends
)
select c.*, m.to_phone as "to", m.type, m.content, m.trace_parent,
  case when m.to_phone = '${ERASED}' then 'contact_erased'
    when m.campaign_name is not null or m.priority = ${priorityRank.bulk}
      or (m.type = 'template' and m.content ->> 'category' = 'marketing') then (
    select case when s.blocked then 'contact_blocked' else 'contact_opted_out' end from suppressions s
    where s.tenant_id = m.tenant_id and s.phone_key = ${phoneKeySql('m.to_phone')} and (s.blocked or s.opted_out or m.phone_number_id = any(s.stopped_numbers))
  ) end as silence,
  coalesce(
    (select r.network_message_id from inbound_messages r where r.tenant_id = m.tenant_id and r.message_id = m.reply_to),
    (select r.network_message_id from outbound_messages r where r.tenant_id = m.tenant_id and r.message_id = m.reply_to)
  ) as reply_to_network_id
from claimed c join outbound_messages m on m.tenant_id = c.tenant_id and m.message_id = c.message_id`;

export type ClaimItem = Pick<ClaimedMessage, 'tenantId' | 'phoneNumberId' | 'messageId' | 'epoch'>;

/** Claims ready rows; returns those that were claimed, in the order asked for. */
export async function claimQueued(
  db: SqlRunner,
  owner: DispatcherId,
  items: readonly ClaimItem[],
): Promise<readonly ClaimedMessage[]> {
  const { rows } = await db.run<ClaimedMessage>(QUEUE_CLAIM, [
    owner,
    plainArray(items.map((item) => item.tenantId)),
    plainArray(items.map((item) => item.messageId)),
    tokenArray(items.map((item) => item.phoneNumberId)),
    plainArray(items.map((item) => item.epoch)),
  ]);
  const byId = new Map(rows.map((row) => [row.messageId, row]));
  return items.flatMap((item) => byId.get(item.messageId) ?? []);
}

const SET_ASIDE = statement('queue_set_aside')`
update send_queue set due_ms = $3 where tenant_id = $1 and message_id = $2 and state <> ${queueState.claimed}`;

/** A row that nobody has claimed waits until `dueMs`. */
export async function setAside(db: SqlRunner, { tenantId, messageId }: QueueKey, dueMs: number): Promise<void> {
  await db.run(SET_ASIDE, [tenantId, messageId, dueMs]);
}

const REMOVE_LOST = statement('queue_remove_lost')`
delete from send_queue q
using unnest($1::uuid[], $2::uuid[], $3::bigint[]) as t (tenant_id, message_id, epoch)
where q.tenant_id = t.tenant_id and q.message_id = t.message_id and q.state = ${queueState.claimed} and q.epoch = t.epoch
  and not exists (select 1 from outbound_messages m where m.tenant_id = q.tenant_id and m.message_id = q.message_id)
returning q.tenant_id, q.message_id`;

/** Removes claimed rows that have no message: nobody could ever send or settle them. */
export async function removeLost(db: SqlRunner, items: readonly ClaimItem[]): Promise<readonly QueueKey[]> {
  return (await db.run<QueueKey>(REMOVE_LOST, columnsOf(items, 'tenantId', 'messageId', 'epoch'))).rows;
}

const QUEUE_DEFER = statement('queue_defer')`
update send_queue q set due_ms = t.due_ms, pair_reserved = true
from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as t (tenant_id, message_id, due_ms)
where q.tenant_id = t.tenant_id and q.message_id = t.message_id and q.state = ${queueState.ready}`;

/** Ready rows whose recipient has had enough step aside until their reserved turn. */
export async function deferForPair(
  db: SqlRunner,
  rows: readonly (QueueKey & { readonly dueMs: number })[],
): Promise<void> {
  await db.run(QUEUE_DEFER, columnsOf(rows, 'tenantId', 'messageId', 'dueMs'));
}

const QUEUE_ORPHANS = statement('queue_orphans')`
update send_queue q set state = ${queueState.unknown}, epoch = t.epoch, due_ms = $4
from unnest($1::uuid[], $2::text[], $3::bigint[]) as t (tenant_id, phone_number_id, epoch)
where q.tenant_id = t.tenant_id and q.phone_number_id = t.phone_number_id and q.state = ${queueState.claimed} and q.epoch <> t.epoch
returning q.tenant_id, q.message_id`;

export interface QueueKey {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
}

/** Rows claimed under another epoch: their send may have reached the network. They become unknown and wait until `dueMs`. */
export async function markOrphans(
  db: SqlRunner,
  lanes: readonly NumberLaneKey[],
  dueMs: number,
): Promise<readonly QueueKey[]> {
  const columns = columnsOf(lanes, 'tenantId', 'phoneNumberId', 'epoch');
  return (await db.run<QueueKey>(QUEUE_ORPHANS, [...columns, dueMs])).rows;
}
