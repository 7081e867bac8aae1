import type { MessageId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

const CLIENT_REFERENCES = statement('message_client_references')`
select message_id, client_ref from outbound_messages where tenant_id = $1 and message_id = any($2::uuid[])`;

/** What clients wrote on messages of theirs for themselves; null: nothing. Messages that are not there are absent. */
export async function readClientReferences(
  db: SqlRunner,
  tenantId: TenantId,
  messageIds: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, string | null>> {
  if (messageIds.length === 0) return new Map();
  type Row = { readonly messageId: MessageId; readonly clientRef: string | null };
  const { rows } = await db.run<Row>(CLIENT_REFERENCES, [tenantId, [...messageIds]]);
  return new Map(rows.map(({ messageId, clientRef }) => [messageId, clientRef]));
}
