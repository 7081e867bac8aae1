import { previewOf } from '#conversations/domain/conversation';
import type { ConversationId, MessageId, TenantId } from '#core/ids';
import { columnsOf, plainArray, sparse } from '#database/arrays';
import { statement, type Transaction } from '#database/database';

/** A message that says something else now. */
export interface ChangedMessage {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
  readonly text: string | null;
  /** Left out: its type is the same. */
  readonly type?: string;
}

/** In the order in which inbound messages lock conversations. */
const LOCK = statement('conversation_lock_previews')`
select c.conversation_id from unnest($1::uuid[], $2::uuid[]) as t (tenant_id, conversation_id)
join conversations c on c.tenant_id = t.tenant_id and c.conversation_id = t.conversation_id
order by c.tenant_id, c.contact_id, c.phone_number_id
for update of c`;

const SHOW = statement('conversation_show_changed')`
update conversations c set last_message_preview = t.preview, last_message_type = coalesce(t.type, c.last_message_type)
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) as t (tenant_id, conversation_id, message_id, preview, type)
where c.tenant_id = t.tenant_id and c.conversation_id = t.conversation_id and c.last_message_id = t.message_id`;

/** Shows in lists what the newest messages of conversations say now; changes of others show nowhere there. */
export async function showChangedPreviews(tx: Transaction, messages: readonly ChangedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const [tenants, conversations, ids] = columnsOf(messages, 'tenantId', 'conversationId', 'messageId').map(plainArray);
  await tx.run(LOCK, [tenants, conversations]);
  const types = sparse(messages.map(({ type = null }) => type));
  await tx.run(SHOW, [tenants, conversations, ids, sparse(messages.map(({ text }) => previewOf(text))), types]);
}
