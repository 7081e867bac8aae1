import { ERASED } from '#core/erasure';
import type { MessageId, TenantId } from '#core/ids';
import { type QueueState, queueState } from '#core/queue-state';
import { columnsOf, plainArray, tokenArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { identityKindSql, phoneKeySql } from '#database/phone-key-sql';
import type { MessageChange } from '#events/domain/message-events';
import { authorJson } from '#events/store/message-author';
import { type ChangeRow, emittingSql, NEWS_COLUMNS, SENT_IS_TOLD, toChange } from '#events/store/message-events';
import type { DeliveryError, TraceEntry } from '#messages/domain/message';
import { REPLACING_LETTERS } from './dead-letters.ts';
import { PREVIEW, showSentSql } from './show-sent.ts';

/** The network took the message: the hot outcome. */
export interface SentRow {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  /** Null: it cannot be stored; statuses find the message by its echo. */
  readonly networkMessageId: string | null;
  readonly attempt: number;
  readonly acceptedMs: number;
}

/**
 * What a message `m` belongs to when it is sent: the contact it goes to, and the conversation that is open with it. The collation is
 * that of the index: numbers of messages have another one, and compared under that every contact of the tenant was looked at for each
 * message. The contact is found first, and once, whatever the statistics say: hence the offset, which the planner does not see through.
 */
const BELONGS_TO = `select
    coalesce(m.conversation_id, (
      select c.conversation_id from conversations c
      where c.tenant_id = m.tenant_id and c.contact_id = r.contact_id
        and c.phone_number_id = m.phone_number_id and c.status <> 'resolved')),
    coalesce(m.contact_id, r.contact_id)
  from (
    select (
      select p.contact_id from contact_identities p
      where p.tenant_id = m.tenant_id and p.kind = ${identityKindSql('m.to_phone')} and p.value = (${phoneKeySql('m.to_phone')}) collate "default"
    ) as contact_id offset 0
  ) r`;

/**
 * Sent: the queue row goes, whatever its state: the network has the message. The message row only moves forward: a
 * status may have been quicker than the answer. It is locked before its queue row, as by statuses. Here it becomes part of
 * the open conversation with its recipient: to look for that when it is accepted would cost the caller time.
 *
 * An answer to an attempt before the last requeue waits for the next statement when the requeue was committed since this one
 * began: its new queue row cannot be seen here, and would stay.
 */
const SETTLE_SENT = statement('settle_sent', { hot: true })`
with input as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::bigint[])
    as t (tenant_id, message_id, network_message_id, attempt, accepted_ms)
), settled as (
  update outbound_messages m set
  status = case when m.status = 'queued' then 'sent' else m.status end,
  network_message_id = coalesce(m.network_message_id, i.network_message_id),
  accepted_ms = coalesce(m.accepted_ms, i.accepted_ms),
  attempts = greatest(m.attempts, i.attempt),
  updated_ms = greatest(m.updated_ms, i.accepted_ms),
  (conversation_id, contact_id) = (${BELONGS_TO}),
  news = case when ${SENT_IS_TOLD} then 0 else 1 end
  from input i where m.tenant_id = i.tenant_id and m.message_id = i.message_id
    and (coalesce(i.attempt > m.requeued_after, true) or m.requeued_after = (
      select o.requeued_after from outbound_messages o where o.tenant_id = i.tenant_id and o.message_id = i.message_id))
  returning ${NEWS_COLUMNS}, ${PREVIEW}, m.network_message_id not in (i.network_message_id, '${ERASED}') as is_second
), gone as (
  delete from send_queue q using settled s where q.tenant_id = s.tenant_id and q.message_id = s.message_id
  returning 1
), ${showSentSql('settled')}, ${emittingSql('settled', '$6::bigint', ['gone', 'shown'])}
select tenant_id, message_id, false as waits from settled where is_second
union all
select tenant_id, null, false from heads
union all
select m.tenant_id, m.message_id, true from outbound_messages m join input i on m.tenant_id = i.tenant_id and m.message_id = i.message_id
where (select count(*) from settled) < (select count(*) from input) and m.message_id not in (select message_id from settled)`;

export interface SettledSent {
  /** Messages whose recorded network id is another one: they were sent twice. */
  readonly twice: readonly SentRow[];
  /** Tenants for which events were recorded. */
  readonly told: ReadonlySet<TenantId>;
}

/** Settles messages that the network took, and tells it: one statement as a rule, each a transaction of its own. */
export async function settleSent(db: SqlRunner, rows: readonly SentRow[], nowMs: number): Promise<SettledSent> {
  const second = new Set<string>();
  const told = new Set<TenantId>();
  for (let left = rows; left.length > 0; ) {
    const result = await db.run<{ tenantId: TenantId; messageId: MessageId | null; waits: boolean }>(SETTLE_SENT, [
      plainArray(left.map((row) => row.tenantId)),
      plainArray(left.map((row) => row.messageId)),
      tokenArray(left.map((row) => row.networkMessageId)),
      plainArray(left.map((row) => row.attempt)),
      plainArray(left.map((row) => row.acceptedMs)),
      nowMs,
    ]);
    const waiting = new Set<string>();
    for (const { tenantId, messageId, waits } of result.rows) {
      if (messageId === null) told.add(tenantId);
      else (waits ? waiting : second).add(messageId);
    }
    left = left.filter((row) => waiting.has(row.messageId));
  }
  return { twice: rows.filter((row) => second.has(row.messageId)), told };
}

/** What becomes of a message that was not sent. */
export type Settlement =
  /** Ready again at `dueMs`. */
  | { readonly kind: 'again'; readonly dueMs: number; readonly possibleDuplicate: boolean; readonly uncounted: boolean }
  /** Waits until `dueMs` for a status that carries its echo. */
  | { readonly kind: 'unknown'; readonly dueMs: number }
  /** The end: kept as a dead letter that can be requeued. */
  | { readonly kind: 'failed'; readonly error: DeliveryError };

export interface SettleRow {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  /** The epoch the row was claimed under; null: the row must be ready (expired while paused). */
  readonly epoch: number | null;
  /** The state the row must still be in for this outcome to count: anything newer wins. */
  readonly fromState: QueueState;
  readonly attempt: number;
  readonly nowMs: number;
  readonly settlement: Settlement;
  readonly trace: TraceEntry;
}

/** Messages are locked before their queue rows, as by statuses: nobody holds the one and waits for the other. */
const SETTLE_QUEUE = statement('settle_queue')`
with input as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::smallint[], $5::smallint[], $6::bigint[], $7::smallint[], $8::smallint[])
    as t (tenant_id, message_id, epoch, from_state, to_state, due_ms, uncounted, resends)
), locked as materialized (
  select 1 from outbound_messages m join input i on m.tenant_id = i.tenant_id and m.message_id = i.message_id
  order by m.tenant_id, m.message_id for no key update of m
), moved as (
  update send_queue q set
    state = i.to_state, due_ms = i.due_ms, epoch = case when i.to_state = ${queueState.ready} then null else q.epoch end,
    attempts = q.attempts - i.uncounted, resends = q.resends + i.resends, pair_reserved = false
  from input i
  where (select count(*) from locked) >= 0 and i.to_state is not null and q.tenant_id = i.tenant_id and q.message_id = i.message_id
    and q.state = i.from_state and (i.epoch is null or q.epoch = i.epoch)
  returning q.message_id, q.attempts + i.uncounted as attempts
), gone as (
  delete from send_queue q using input i
  where (select count(*) from locked) >= 0 and i.to_state is null and q.tenant_id = i.tenant_id and q.message_id = i.message_id
    and q.state = i.from_state and (i.epoch is null or q.epoch = i.epoch)
  returning q.message_id, q.attempts
)
select message_id, attempts from moved union all select message_id, attempts from gone`;

const SETTLE_MESSAGES = statement('settle_messages')`
with settled as (
  update outbound_messages m set
    status = case when i.error is not null and m.status = 'queued' then 'failed' else m.status end,
    error = case when i.error is not null and m.status = 'queued' then i.error::jsonb else m.error end,
    failed_ms = case when i.error is not null and m.status = 'queued' then i.now_ms else m.failed_ms end,
    attempts = greatest(m.attempts, i.attempt),
    possible_duplicate = m.possible_duplicate or i.possible_duplicate,
    updated_ms = greatest(m.updated_ms, i.now_ms),
    history = coalesce(m.history, '[]'::jsonb) || i.trace::jsonb,
    news = case when i.error is not null and m.status = 'queued' then 8 else 0 end
  from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::bigint[], $5::text[], $6::boolean[], $7::text[])
    as i (tenant_id, message_id, attempt, now_ms, error, possible_duplicate, trace)
  where m.tenant_id = i.tenant_id and m.message_id = i.message_id
  returning ${NEWS_COLUMNS}
)
select s.*, ${authorJson('s')} as author from settled s`;

const SETTLE_DEAD_LETTERS = statement('settle_dead_letters')`
insert into dead_letters (tenant_id, message_id, code, reason, dead_ms)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
${REPLACING_LETTERS}`;

/**
 * How many attempts there were before the one that is settled. Of an attempt that a stopped process made, the queue row
 * alone knows: no later attempt may have its number. A claim counts ahead of its send.
 */
function attemptsBefore({ fromState }: SettleRow, counted: number): number {
  return fromState === queueState.claimed ? counted - 1 : counted;
}

/** Null: its queue row goes. */
const STATE_AFTER = { again: queueState.ready, unknown: queueState.unknown, failed: null } as const;

/**
 * Settles everything but "sent", in the transaction of the caller. An outcome whose queue row is no longer as expected
 * (settled by a status, claimed under a newer epoch) changes nothing.
 * @returns what that says of the messages
 */
export async function settleOthers(tx: Transaction, rows: readonly SettleRow[]): Promise<readonly MessageChange[]> {
  const { rows: effective } = await tx.run<{ messageId: string; attempts: number }>(SETTLE_QUEUE, [
    ...columnsOf(rows, 'tenantId', 'messageId', 'epoch', 'fromState'),
    rows.map(({ settlement }) => STATE_AFTER[settlement.kind]),
    rows.map(({ settlement }) => (settlement.kind === 'failed' ? null : settlement.dueMs)),
    rows.map(({ settlement }) => (settlement.kind === 'again' && settlement.uncounted ? 1 : 0)),
    rows.map(({ settlement }) => (settlement.kind === 'again' && settlement.possibleDuplicate ? 1 : 0)),
  ]);
  const attempts = new Map(effective.map((row) => [row.messageId, row.attempts]));
  const settled = rows.filter((row) => attempts.has(row.messageId));
  if (settled.length === 0) return [];
  const changed = await tx.run<ChangeRow>(SETTLE_MESSAGES, [
    ...columnsOf(settled, 'tenantId', 'messageId'),
    settled.map((row) => Math.max(row.attempt, attemptsBefore(row, attempts.get(row.messageId) ?? 0))),
    settled.map((row) => row.nowMs),
    settled.map(({ settlement }) => (settlement.kind === 'failed' ? JSON.stringify(settlement.error) : null)),
    settled.map(({ settlement }) => settlement.kind === 'again' && settlement.possibleDuplicate),
    settled.map((row) => JSON.stringify([row.trace])),
  ]);
  await insertDeadLetters(tx, settled);
  return changed.rows.filter((row) => row.news > 0).map(toChange);
}

async function insertDeadLetters(tx: Transaction, settled: readonly SettleRow[]): Promise<void> {
  const dead = settled.flatMap(({ tenantId, messageId, nowMs, settlement }) =>
    settlement.kind === 'failed' ? [{ tenantId, messageId, nowMs, ...settlement.error }] : [],
  );
  if (dead.length === 0) return;
  await tx.run(SETTLE_DEAD_LETTERS, columnsOf(dead, 'tenantId', 'messageId', 'code', 'message', 'nowMs'));
}

const APPEND_HISTORY = statement('append_history')`
update outbound_messages m set history = coalesce(m.history, '[]'::jsonb) || i.trace::jsonb
from unnest($1::uuid[], $2::uuid[], $3::text[]) as i (tenant_id, message_id, trace)
where m.tenant_id = i.tenant_id and m.message_id = i.message_id`;

/** Adds a line to the trace of messages whose state does not change (waits, orphans). */
export async function appendHistory(
  db: SqlRunner,
  rows: readonly { readonly tenantId: TenantId; readonly messageId: MessageId; readonly trace: TraceEntry }[],
): Promise<void> {
  await db.run(APPEND_HISTORY, [
    ...columnsOf(rows, 'tenantId', 'messageId'),
    rows.map((row) => JSON.stringify([row.trace])),
  ]);
}
