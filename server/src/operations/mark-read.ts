import { isUuid, type TenantId } from '#core/ids';
import type { ReadOutcome, TellRead } from '#core/read-receipt';
import type { Database } from '#storage/database';
import { findMessage } from '#storage/message-reads';

export type MarkReadOutcome = ReadOutcome | { readonly kind: 'not_found' } | { readonly kind: 'outbound' };

export interface MarkRead {
  readonly tenantId: TenantId;
  readonly messageId: string;
  readonly typing: boolean;
}

/**
 * Marks an inbound message as read for its customer. The network is told outside of any transaction, through a call that
 * is handed in; nothing is stored, and telling it twice does no harm.
 */
export async function markRead(
  { db, tellRead }: { readonly db: Database; readonly tellRead: TellRead },
  { tenantId, messageId, typing }: MarkRead,
): Promise<MarkReadOutcome> {
  if (!isUuid(messageId)) return { kind: 'not_found' };
  const message = await findMessage(db, tenantId, messageId);
  if (message === null) return { kind: 'not_found' };
  if ('delivery' in message) return { kind: 'outbound' };
  const { phoneNumberId, networkMessageId } = message;
  return tellRead({ phoneNumberId, networkMessageId, typing });
}
