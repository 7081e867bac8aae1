import type { PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import type { CallbackHealth, RepeatFacts } from '#messages/domain/repeat-hold';
import { OLDEST_WAITING_MS } from '#messages/store/callback-pages';

/** The newest callback that held a status of a number. */
export interface NumberStatus {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly statusMs: number;
}

const NOTE_STATUSES = statement('health_note_statuses')`
insert into number_statuses (tenant_id, phone_number_id, status_ms)
select t.tenant_id, t.phone_number_id, t.status_ms
from unnest($1::uuid[], $2::text[], $3::bigint[]) as t (tenant_id, phone_number_id, status_ms)
where exists (select from phone_numbers p where p.tenant_id = t.tenant_id and p.phone_number_id = t.phone_number_id)
order by t.tenant_id, t.phone_number_id
on conflict (tenant_id, phone_number_id) do update
set status_ms = greatest(number_statuses.status_ms, excluded.status_ms)`;

/** Notes that statuses of numbers came in; each number at most once. One whose tenant has left meanwhile is left out. */
export async function noteStatuses(db: SqlRunner, statuses: readonly NumberStatus[]): Promise<void> {
  await db.run(NOTE_STATUSES, columnsOf(statuses, 'tenantId', 'phoneNumberId', 'statusMs'));
}

const NOTE_REFUSAL = statement('health_note_refusal')`
insert into callback_refusals (refused_ms) values ($1)
on conflict (only_row) do update set refused_ms = greatest(callback_refusals.refused_ms, excluded.refused_ms)`;

/** Notes that a callback was refused for its signature. */
export async function noteRefusal(db: SqlRunner, refusedMs: number): Promise<void> {
  await db.run(NOTE_REFUSAL, [refusedMs]);
}

const HEALTH_READ = statement('health_read')`
select ${OLDEST_WAITING_MS} as oldest_unread_ms,
  (select received_ms from callbacks order by callback_id desc limit 1) as newest_ms,
  (select refused_ms from callback_refusals) as refused_ms`;

/** How the callbacks of the whole service fare. */
export async function readCallbackHealth(db: SqlRunner): Promise<CallbackHealth> {
  const health = await firstRow(db.run<CallbackHealth>(HEALTH_READ, []));
  return health ?? { oldestUnreadMs: null, newestMs: null, refusedMs: null };
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

const REPEAT_FACTS = statement('health_of_message')`
select l.due_ms, t.unknown_resends - l.resends as resends_left, ${NEWEST_STATUS} as status_ms
from send_queue l join tenants t on t.tenant_id = l.tenant_id
where l.tenant_id = $1 and l.message_id = $2 and l.state = ${queueState.unknown} and l.epoch > 0`;

/** What decides about another copy of a message of unknown outcome; null when its outcome is not unknown, or a person decides. */
export async function findRepeatFacts(
  db: SqlRunner,
  tenantId: TenantId,
  messageId: string,
): Promise<RepeatFacts | null> {
  return firstRow(db.run<RepeatFacts>(REPEAT_FACTS, [tenantId, messageId]));
}
