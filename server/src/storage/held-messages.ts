import type { TenantId } from '#core/ids';
import type { TraceEntry } from '#core/message';
import type { SqlRunner, Statement } from './database.ts';

/**
 * Rows that are held have no owner's epoch: 0 when they were ready, so that it may be that nobody ever sent them, and -1 when
 * they were being sent, or unknown, already.
 */
const HOLD: Statement = {
  name: 'history_hold',
  text: `
with held as (
  update send_queue q set state = 2, due_ms = q.expires_ms, epoch = case q.state when 0 then 0 else -1 end
  where (q.tenant_id, q.message_id) in (
    select s.tenant_id, s.message_id from send_queue s
    where (s.state > 0 or s.due_ms <= $1) and coalesce(s.epoch, 1) > 0 limit $3)
  returning q.tenant_id, q.message_id
), noted as (
  update outbound_messages m set history = coalesce(m.history, '[]'::jsonb) || $2::jsonb, updated_ms = greatest(m.updated_ms, $1)
  from held h where m.tenant_id = h.tenant_id and m.message_id = h.message_id
  returning 1
)
select count(*)::int as held, (select count(*) from noted) as noted from held`,
};
const HOLD_AT_ONCE = 5_000;

/**
 * Everything that may have been sent, of all tenants, becomes unknown until a status or the operator settles it, at most until it
 * expires. @returns how many messages
 */
export async function holdDue(tx: SqlRunner, nowMs: number, trace: TraceEntry): Promise<number> {
  let held = 0;
  while (true) {
    const { rows } = await tx.run<{ held: number }>(HOLD, [nowMs, JSON.stringify([trace]), HOLD_AT_ONCE]);
    const count = rows[0]?.held ?? 0;
    held += count;
    if (count < HOLD_AT_ONCE) return held;
  }
}

const COUNT_HELD: Statement = {
  name: 'held_count',
  text: `
select tenant_id, count(*)::int as messages, min(due_ms) as first_expires_ms
from send_queue where state = 2 and epoch <= 0 and due_ms > $1
group by tenant_id order by tenant_id`,
};

/** What of a tenant is held. */
export interface HeldMessages {
  readonly tenantId: TenantId;
  readonly messages: number;
  /** When the first of them expires. */
  readonly firstExpiresMs: number;
}

/** Over all tenants, for the operator; tenants without any are left out. */
export async function countHeld(db: SqlRunner, nowMs: number): Promise<readonly HeldMessages[]> {
  const { rows } = await db.run<{ tenant_id: TenantId; messages: number; first_expires_ms: number }>(COUNT_HELD, [
    nowMs,
  ]);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    messages: row.messages,
    firstExpiresMs: row.first_expires_ms,
  }));
}

const RELEASE: Statement = {
  name: 'held_release',
  text: `
with released as (
  update send_queue q set due_ms = $1, state = case when $2 and q.epoch = 0 then 0 else 2 end,
    epoch = case when $2 and q.epoch = 0 then null else q.epoch end
  where q.state = 2 and q.epoch <= 0 and q.due_ms > $1 and ($3::uuid is null or q.tenant_id = $3)
  returning q.tenant_id, q.message_id
), noted as (
  update outbound_messages m set history = coalesce(m.history, '[]'::jsonb) || $4::jsonb, updated_ms = greatest(m.updated_ms, $1)
  from released r where m.tenant_id = r.tenant_id and m.message_id = r.message_id
  returning 1
)
select count(*)::int as released, (select count(*) from noted) as noted from released`,
};

export interface ReleaseHeld {
  /** Null: all tenants. */
  readonly tenantId: TenantId | null;
  /** True: those that were ready were not sent, for certain, and are ready again. The others are unknown, and their wait is over. */
  readonly unsent: boolean;
  readonly nowMs: number;
  readonly trace: TraceEntry;
}

/** Ends the hold. @returns how many messages it was ended for */
export async function releaseHeld(db: SqlRunner, { tenantId, unsent, nowMs, trace }: ReleaseHeld): Promise<number> {
  const { rows } = await db.run<{ released: number }>(RELEASE, [nowMs, unsent, tenantId, JSON.stringify([trace])]);
  return rows[0]?.released ?? 0;
}
