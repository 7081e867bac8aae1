import { authorKindNumber } from '#core/caller/author';
import type { MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { columnsOf, plainArray, sparse, sparsePlain } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import { authorJson } from '#events/store/message-author';
import type { OutboundMessage } from '#messages/domain/message';
import type { MessageVersion } from '#messages/domain/message-change';
import { type OutboundRow, toOutbound } from './message-rows.ts';

/** A message from the phone, also as it is stored. */
export interface StoredEcho {
  readonly message: OutboundMessage;
  readonly content: JsonObject;
}

/** Locked in the order of the key, as statuses lock them. */
const LOCK_ECHOES = statement('echoes_lock')`
select m.*, n.display_phone, ${authorJson('m')} as author
from unnest($1::uuid[], $2::uuid[]) as i (tenant_id, message_id)
join outbound_messages m on m.tenant_id = i.tenant_id and m.message_id = i.message_id
left join phone_numbers n on n.tenant_id = m.tenant_id and n.phone_number_id = m.phone_number_id
where m.author_kind = ${authorKindNumber('phone')}
order by m.tenant_id, m.message_id
for update of m`;

/** Messages from the phone, locked; what was sent through the API cannot be changed there, and is left out. */
export async function lockEchoes(
  tx: Transaction,
  keys: readonly { readonly tenantId: TenantId; readonly messageId: MessageId }[],
): Promise<readonly StoredEcho[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.run<OutboundRow>(LOCK_ECHOES, columnsOf(keys, 'tenantId', 'messageId').map(plainArray));
  return rows.map((row) => ({
    message: toOutbound({ ...row, queueState: null, queueDueMs: null, queueAttempts: null }),
    content: row.content,
  }));
}

const SAVE_CHANGED = statement('echoes_save_changed')`
update outbound_messages m set
  content = t.content::jsonb, versions = t.versions::jsonb, deleted_ms = t.deleted_ms, updated_ms = greatest(m.updated_ms, $6::bigint)
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
  as t (tenant_id, message_id, content, versions, deleted_ms)
where m.tenant_id = t.tenant_id and m.message_id = t.message_id`;

export interface ChangedEcho {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly content: JsonObject;
  readonly versions: readonly MessageVersion[] | null;
  readonly deletedMs: number | null;
}

/** Writes what edits and deletions change; the caller holds the locks. */
export async function saveChangedEchoes(
  tx: Transaction,
  changed: readonly ChangedEcho[],
  nowMs: number,
): Promise<void> {
  if (changed.length === 0) return;
  await tx.run(SAVE_CHANGED, [
    ...columnsOf(changed, 'tenantId', 'messageId').map(plainArray),
    changed.map((one) => JSON.stringify(one.content)),
    sparse(changed.map((one) => one.versions && JSON.stringify(one.versions))),
    sparsePlain(changed.map((one) => one.deletedMs)),
    nowMs,
  ]);
}
