import type { TenantId } from '#core/ids';
import { columnsOf, plainArray, sparse, sparsePlain } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import type { InboundMessage } from '#messages/domain/message';
import { type InboundMessageRow, toInbound } from './message-rows.ts';

/** Locked in the order of the key, so that batches that change the same messages wait for each other instead of deadlocking. */
const LOCK_INBOUND = statement('inbound_lock_by_network_id')`
select m.*, n.display_phone, f.status as media_status, f.media_id, f.filename as media_filename, f.error as media_error,
  d.size as media_size, coalesce(d.mime_type, f.mime_type) as media_mime_type, coalesce(d.sha256, f.sha256) as media_sha256
from unnest($1::uuid[], $2::text[]) as i (tenant_id, network_message_id)
join inbound_messages m on m.tenant_id = i.tenant_id and m.network_message_id = i.network_message_id
left join phone_numbers n on n.tenant_id = m.tenant_id and n.phone_number_id = m.phone_number_id
left join inbound_media f on f.tenant_id = m.tenant_id and f.message_id = m.message_id
left join media d on d.tenant_id = f.tenant_id and d.media_id = f.media_id
order by m.tenant_id, m.message_id
for update of m`;

/** Messages of customers by the network's ids, locked; those that are not here are left out. Each id is named once. */
export async function lockInbound(
  tx: Transaction,
  names: readonly { readonly tenantId: TenantId; readonly networkMessageId: string }[],
): Promise<readonly InboundMessage[]> {
  if (names.length === 0) return [];
  const [tenantIds = [], networkIds] = columnsOf(names, 'tenantId', 'networkMessageId');
  const { rows } = await tx.run<InboundMessageRow>(LOCK_INBOUND, [plainArray(tenantIds), networkIds]);
  return rows.map(toInbound);
}

const SAVE_CHANGED = statement('inbound_save_changed')`
update inbound_messages m set
  body = t.body, content = t.content::jsonb, context = t.context::jsonb, versions = t.versions::jsonb, deleted_ms = t.deleted_ms
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
  as t (tenant_id, message_id, body, content, context, versions, deleted_ms)
where m.tenant_id = t.tenant_id and m.message_id = t.message_id`;

/** Writes what edits and deletions change; the caller holds the locks. */
export async function saveChangedInbound(tx: Transaction, messages: readonly InboundMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.run(SAVE_CHANGED, [
    ...columnsOf(messages, 'tenantId', 'messageId').map(plainArray),
    sparse(messages.map((one) => one.body)),
    messages.map((one) => JSON.stringify(one.content)),
    sparse(messages.map((one) => one.context && JSON.stringify(one.context))),
    sparse(messages.map((one) => one.versions && JSON.stringify(one.versions))),
    sparsePlain(messages.map((one) => one.deletedMs)),
  ]);
}
