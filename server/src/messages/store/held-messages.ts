import type { TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { TraceEntry } from '#messages/domain/message';

/**
 * Rows that are held have no owner's epoch: 0 when they were ready, so that it may be that nobody ever sent them, and -1 when
 * they were being sent, or unknown, already.
 */
const HISTORY_HOLD = statement('history_hold')`
with held as (
  update send_queue q set state = ${queueState.unknown}, due_ms = q.expires_ms, epoch = case q.state when ${queueState.ready} then 0 else -1 end
  where (q.tenant_id, q.message_id) in (
    select s.tenant_id, s.message_id from send_queue s
    where (s.state <> ${queueState.ready} or s.due_ms <= $1) and coalesce(s.epoch, 1) > 0 limit $3)
  returning q.tenant_id, q.message_id
), noted as (
  update outbound_messages m set history = coalesce(m.history, '[]'::jsonb) || $2::jsonb, updated_ms = greatest(m.updated_ms, $1)
  from held h where m.tenant_id = h.tenant_id and m.message_id = h.message_id
  returning 1
)
select tenant_id, count(*)::int as messages from held group by tenant_id`;
const HOLD_AT_ONCE = 5_000;

/** How many messages of a tenant were held or released. */
export interface TenantMessages {
  readonly tenantId: TenantId;
  readonly messages: number;
}

/**
 * Everything that may have been sent, of all tenants, becomes unknown until a status or the operator settles it, at most until it
 * expires. @returns the tenants that have any
 */
export async function holdDue(tx: Transaction, nowMs: number, trace: TraceEntry): Promise<readonly TenantMessages[]> {
  const held = new Map<TenantId, number>();
  for (let count = HOLD_AT_ONCE; count >= HOLD_AT_ONCE; ) {
    const { rows } = await tx.run<TenantMessages>(HISTORY_HOLD, [nowMs, JSON.stringify([trace]), HOLD_AT_ONCE]);
    for (const { tenantId, messages } of rows) held.set(tenantId, (held.get(tenantId) ?? 0) + messages);
    count = rows.reduce((sum, { messages }) => sum + messages, 0);
  }
  return [...held].map(([tenantId, messages]) => ({ tenantId, messages }));
}

const COUNT_HELD = statement('held_count')`
select tenant_id, count(*)::int as messages, min(due_ms) as first_expires_ms
from send_queue where state = ${queueState.unknown} and epoch <= 0 and due_ms > $1
group by tenant_id order by tenant_id`;

/** What of a tenant is held. */
export interface HeldMessages {
  readonly tenantId: TenantId;
  readonly messages: number;
  /** When the first of them expires. */
  readonly firstExpiresMs: number;
}

/** Over all tenants, for the operator; tenants without any are left out. */
export async function countHeld(db: SqlRunner, nowMs: number): Promise<readonly HeldMessages[]> {
  return (await db.run<HeldMessages>(COUNT_HELD, [nowMs])).rows;
}

const HELD_RELEASE = statement('held_release')`
with released as (
  update send_queue q set due_ms = $1, state = case when $2 and q.epoch = 0 then ${queueState.ready} else ${queueState.unknown} end,
    epoch = case when $2 and q.epoch = 0 then null else q.epoch end
  where q.state = ${queueState.unknown} and q.epoch <= 0 and q.due_ms > $1 and ($3::uuid is null or q.tenant_id = $3)
  returning q.tenant_id, q.message_id
), noted as (
  update outbound_messages m set history = coalesce(m.history, '[]'::jsonb) || $4::jsonb, updated_ms = greatest(m.updated_ms, $1)
  from released r where m.tenant_id = r.tenant_id and m.message_id = r.message_id
  returning 1
)
select tenant_id, count(*)::int as messages from released group by tenant_id`;

export interface ReleaseHeld {
  /** Null: all tenants. */
  readonly tenantId: TenantId | null;
  /** True: those that were ready were not sent, for certain, and are ready again. The others are unknown, and their wait is over. */
  readonly unsent: boolean;
  readonly nowMs: number;
  readonly trace: TraceEntry;
}

/** Ends the hold. @returns the tenants that had any messages held */
export async function releaseHeld(
  db: SqlRunner,
  { tenantId, unsent, nowMs, trace }: ReleaseHeld,
): Promise<readonly TenantMessages[]> {
  const values = [nowMs, unsent, tenantId, JSON.stringify([trace])];
  return (await db.run<TenantMessages>(HELD_RELEASE, values)).rows;
}
