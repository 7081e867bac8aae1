import type { PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { SqlRunner, Statement } from '#database/database';
import type { CallbackHealth, RepeatFacts } from '#messages/domain/repeat-hold';

/** The newest callback that held a status of a number. */
export interface NumberStatus {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly statusMs: number;
}

const NOTE_STATUSES: Statement = {
  name: 'health_note_statuses',
  text: `
insert into number_statuses (tenant_id, phone_number_id, status_ms)
select * from unnest($1::uuid[], $2::text[], $3::bigint[]) as t (tenant_id, phone_number_id, status_ms)
order by tenant_id, phone_number_id
on conflict (tenant_id, phone_number_id) do update
set status_ms = greatest(number_statuses.status_ms, excluded.status_ms)`,
};

/** Notes that statuses of numbers came in; each number at most once. */
export async function noteStatuses(db: SqlRunner, statuses: readonly NumberStatus[]): Promise<void> {
  await db.run(NOTE_STATUSES, [
    statuses.map((status) => status.tenantId),
    statuses.map((status) => status.phoneNumberId),
    statuses.map((status) => status.statusMs),
  ]);
}

const NOTE_REFUSAL: Statement = {
  name: 'health_note_refusal',
  text: `
insert into callback_refusals (refused_ms) values ($1)
on conflict (only_row) do update set refused_ms = greatest(callback_refusals.refused_ms, excluded.refused_ms)`,
};

/** Notes that a callback was refused for its signature. */
export async function noteRefusal(db: SqlRunner, refusedMs: number): Promise<void> {
  await db.run(NOTE_REFUSAL, [refusedMs]);
}

const HEALTH_READ: Statement = {
  name: 'health_read',
  text: `
select (select c.received_ms from callback_queue q join callbacks c on c.callback_id = q.callback_id
    order by q.callback_id limit 1) as oldest_unread_ms,
  (select received_ms from callbacks order by callback_id desc limit 1) as newest_ms,
  (select refused_ms from callback_refusals) as refused_ms`,
};

/** How the callbacks of the whole service fare. */
export async function readCallbackHealth(db: SqlRunner): Promise<CallbackHealth> {
  const { rows } = await db.run<Record<string, number | null>>(HEALTH_READ, []);
  const timeOf = (name: string): number | null => (rows[0]?.[name] == null ? null : Number(rows[0][name]));
  return { oldestUnreadMs: timeOf('oldest_unread_ms'), newestMs: timeOf('newest_ms'), refusedMs: timeOf('refused_ms') };
}

/**
 * When the newest status came of a number `l`, or of another number of its account at the network: callbacks are
 * subscribed to per account. An expression.
 */
export const NEWEST_STATUS = `(
    select max(s.status_ms) from phone_numbers n
    join phone_numbers o on o.tenant_id = n.tenant_id
      and (o.phone_number_id = n.phone_number_id or o.network_account_id = n.network_account_id)
    join number_statuses s on s.tenant_id = o.tenant_id and s.phone_number_id = o.phone_number_id
    where n.tenant_id = l.tenant_id and n.phone_number_id = l.phone_number_id)`;

const REPEAT_FACTS: Statement = {
  name: 'health_of_message',
  text: `
select l.due_ms, t.unknown_resends - l.resends as resends_left, ${NEWEST_STATUS} as status_ms
from send_queue l join tenants t on t.tenant_id = l.tenant_id
where l.tenant_id = $1 and l.message_id = $2 and l.state = ${queueState.unknown} and l.epoch > 0`,
};

/** What decides about another copy of a message of unknown outcome; null when its outcome is not unknown, or a person decides. */
export async function findRepeatFacts(
  db: SqlRunner,
  tenantId: TenantId,
  messageId: string,
): Promise<RepeatFacts | null> {
  const { rows } = await db.run<{ due_ms: number; resends_left: number; status_ms: number | null }>(REPEAT_FACTS, [
    tenantId,
    messageId,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const statusMs = row.status_ms === null ? null : Number(row.status_ms);
  return { dueMs: Number(row.due_ms), resendsLeft: row.resends_left, statusMs };
}
