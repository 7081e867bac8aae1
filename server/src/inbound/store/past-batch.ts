import type { ConversationId, MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { columnsOf, plainArray, sparse } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import type { MessageVersion } from '#messages/domain/message-change';
import type { InboundRow } from './inbound-batch.ts';

/** A customer's message that is stored, by the network's id. */
export interface KnownReceived {
  readonly networkMessageId: string;
  readonly messageId: MessageId;
  readonly conversationId: ConversationId | null;
  /** Whether nothing but the history reported it. */
  readonly isPast: boolean;
  /** Whether its file is still to come. */
  readonly isEmpty: boolean;
}

const FIND_RECEIVED = statement('past_received_find')`
select i.network_message_id, i.message_id, i.conversation_id, i.is_past,
  i.type = 'unsupported' and i.content ->> 'type' = 'media_placeholder' as is_empty
from inbound_messages i
where i.tenant_id = $1 and i.network_message_id = any($2::text[])`;

/** Which of these messages of customers are stored. */
export async function findReceived(
  tx: Transaction,
  tenantId: TenantId,
  networkIds: readonly string[],
): Promise<readonly KnownReceived[]> {
  if (networkIds.length === 0) return [];
  return (await tx.run<KnownReceived>(FIND_RECEIVED, [tenantId, networkIds])).rows;
}

const FILL_RECEIVED = statement('past_received_fill')`
update inbound_messages i set type = t.type, body = t.body, content = t.content::jsonb,
  context = coalesce(i.context, t.context::jsonb)
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
  as t (tenant_id, message_id, type, body, content, context)
where i.tenant_id = t.tenant_id and i.message_id = t.message_id and i.deleted_ms is null`;

/** Writes what a message says in the place of the mark that stood for its file. */
export async function fillReceived(tx: Transaction, rows: readonly InboundRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(FILL_RECEIVED, [
    ...columnsOf(rows, 'tenantId', 'messageId').map(plainArray),
    rows.map((row) => row.type),
    sparse(rows.map((row) => row.body)),
    rows.map((row) => JSON.stringify(row.content)),
    sparse(rows.map((row) => row.context && JSON.stringify(row.context))),
  ]);
}

/** What becomes of a message of the history that comes as a message as well. */
export interface TakenReceived {
  readonly tenantId: TenantId;
  readonly networkMessageId: string;
  readonly messageId: MessageId;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly versions: readonly MessageVersion[] | null;
  readonly deletedMs: number | null;
}

const TAKE_RECEIVED = statement('past_received_take')`
delete from inbound_messages i
using unnest($1::uuid[], $2::text[]) as t (tenant_id, network_message_id)
where i.tenant_id = t.tenant_id and i.network_message_id = t.network_message_id and i.is_past
returning i.tenant_id, i.network_message_id, i.message_id, i.body, i.content, i.versions, i.deleted_ms`;

/** Takes messages out that only the history reported: they are stored again as what they are, with their ids. */
export async function takePastReceived(
  tx: Transaction,
  names: readonly Pick<TakenReceived, 'tenantId' | 'networkMessageId'>[],
): Promise<readonly TakenReceived[]> {
  if (names.length === 0) return [];
  const [tenantIds = [], networkIds] = columnsOf(names, 'tenantId', 'networkMessageId');
  return (await tx.run<TakenReceived>(TAKE_RECEIVED, [plainArray(tenantIds), networkIds])).rows;
}
