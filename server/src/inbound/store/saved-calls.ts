import type { ConversationId, MessageId, TenantId } from '#core/ids';
import { columnsOf, plainArray, sparsePlain } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import { type Call, callContent } from '#messages/domain/call';

/** A call of which more is known now. */
export interface SavedCall {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly call: Call;
  readonly conversationId: ConversationId | null;
}

const SAVE_CALLS = statement('calls_save')`
update inbound_messages m set content = t.content::jsonb, network_ms = t.network_ms, conversation_id = t.conversation_id
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[])
  as t (tenant_id, message_id, content, network_ms, conversation_id)
where m.tenant_id = t.tenant_id and m.message_id = t.message_id`;

/** Writes what a report adds to calls that are stored; the caller holds the locks. */
export async function saveCalls(tx: Transaction, calls: readonly SavedCall[]): Promise<void> {
  if (calls.length === 0) return;
  await tx.run(SAVE_CALLS, [
    ...columnsOf(calls, 'tenantId', 'messageId').map(plainArray),
    calls.map(({ call }) => JSON.stringify(callContent(call))),
    plainArray(calls.map(({ call }) => Date.parse(call.started_at))),
    sparsePlain(calls.map(({ conversationId }) => conversationId)),
  ]);
}
