import type { TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { ContentChange } from '#messages/domain/message-change';
import { nameKey } from '#messages/store/status-batch';

/** An edit or a deletion, with the network's id of the message that it is about. */
export interface NamedChange {
  readonly tenantId: TenantId;
  readonly networkMessageId: string;
  readonly change: ContentChange;
}

/** Changes by the message that they are about, in the order in which they came. Keys: nameKey. */
export function groupByMessage<Change extends NamedChange>(
  changes: readonly Change[],
): ReadonlyMap<string, readonly [Change, ...Change[]]> {
  const groups = new Map<string, readonly [Change, ...Change[]]>();
  for (const change of changes) {
    const others = groups.get(nameKey(change));
    groups.set(nameKey(change), others === undefined ? [change] : [...others, change]);
  }
  return groups;
}

/** A change whose message is not here. */
export interface ParkedChange extends NamedChange {
  /** Who changed it, digits or a user id: by it the change is erased with the person. */
  readonly sender: string;
}

const PARK = statement('park_changes')`
insert into parked_changes (tenant_id, network_message_id, change_id, sender, change, parked_ms)
select t.tenant_id, t.network_message_id, t.change_id, t.sender, t.change::jsonb, $6
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
  as t (tenant_id, network_message_id, change_id, sender, change)
on conflict do nothing`;

/** Keeps changes that came before their messages. */
export async function parkChanges(tx: Transaction, parked: readonly ParkedChange[], nowMs: number): Promise<void> {
  if (parked.length === 0) return;
  await tx.run(PARK, [
    plainArray(parked.map((one) => one.tenantId)),
    parked.map((one) => one.networkMessageId),
    parked.map((one) => one.change.changeId),
    parked.map((one) => one.sender),
    parked.map((one) => JSON.stringify(one.change)),
    nowMs,
  ]);
}

const TAKE = statement('take_parked_changes')`
delete from parked_changes p
using unnest($1::uuid[], $2::text[]) as t (tenant_id, network_message_id)
where p.tenant_id = t.tenant_id and p.network_message_id = t.network_message_id
returning p.tenant_id, p.network_message_id, p.change`;

/** Takes out the changes that wait for these messages. */
export async function takeParkedChanges(
  tx: Transaction,
  messages: readonly Pick<NamedChange, 'tenantId' | 'networkMessageId'>[],
): Promise<readonly NamedChange[]> {
  if (messages.length === 0) return [];
  const [tenantIds = [], networkIds] = columnsOf(messages, 'tenantId', 'networkMessageId');
  return (await tx.run<NamedChange>(TAKE, [plainArray(tenantIds), networkIds])).rows;
}

/**
 * A change and its message that are stored at the same moment do not see each other. This long after it was parked, a change is
 * therefore looked after again; no transaction lasts longer.
 */
export const MEET_WITHIN_MS = 10 * 60 * 1000;

const MEET = statement('meet_parked_changes')`
with ready as (
  select p.tenant_id, p.network_message_id, p.change_id from parked_changes p
  join inbound_messages m on m.tenant_id = p.tenant_id and m.network_message_id = p.network_message_id
  where p.parked_ms >= $1
  limit 500
)
delete from parked_changes p using ready r
where p.tenant_id = r.tenant_id and p.network_message_id = r.network_message_id and p.change_id = r.change_id
returning p.tenant_id, p.network_message_id, p.change`;

/** Takes out changes parked since `sinceMs` whose messages are here all the same. */
export async function takeMetChanges(tx: Transaction, sinceMs: number): Promise<readonly NamedChange[]> {
  return (await tx.run<NamedChange>(MEET, [sinceMs])).rows;
}

const ANY_PARKED = statement('any_parked_change')`select tenant_id from parked_changes where parked_ms >= $1 limit 1`;

/** Whether any change was parked since `sinceMs`: nearly always not, and then there is no transaction to open. */
export async function isAnyChangeParked(db: SqlRunner, sinceMs: number): Promise<boolean> {
  return (await db.run(ANY_PARKED, [sinceMs])).rowCount > 0;
}
