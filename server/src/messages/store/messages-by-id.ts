import type { MessageId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { InboundMessage, OutboundMessage } from '#messages/domain/message';
import { selectInbound, selectOutbound } from './message-filters.ts';
import { toInbound, toOutbound } from './message-rows.ts';

/** Messages of either direction by their ids, in no particular order; those that are not there are left out. */
export async function findMessages(
  db: Database,
  tenantId: TenantId,
  messageIds: readonly MessageId[],
): Promise<readonly (OutboundMessage | InboundMessage)[]> {
  if (messageIds.length === 0) return [];
  const outbound = await selectOutbound(db, tenantId).where('m.messageId', 'in', messageIds).execute();
  const inbound = await selectInbound(db, tenantId).where('m.messageId', 'in', messageIds).execute();
  return [...outbound.map(toOutbound), ...inbound.map(toInbound)];
}
