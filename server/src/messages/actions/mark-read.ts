import { type TokenProvider, TokenUnreadable } from '#accounts/actions/account-token';
import { isUuid, type TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { ReadOutcome, SendReadReceipt } from '#messages/domain/read-receipt';
import { findMessage } from '#messages/store/message-reads';

export type MarkReadOutcome = ReadOutcome | { readonly kind: 'not_found' } | { readonly kind: 'outbound' };

export interface MarkReadDeps {
  readonly db: Database;
  readonly sendReadReceipt: SendReadReceipt;
  readonly tokens: TokenProvider;
}

export interface MarkRead {
  readonly tenantId: TenantId;
  readonly messageId: string;
  readonly typing: boolean;
  /** The number that the message must have come to; absent: any of the tenant. */
  readonly phoneNumberId?: string;
}

/**
 * Marks an inbound message as read for its customer. The network is notified outside of any transaction, through a
 * function that is passed in; nothing is stored, and a repetition has no further effect.
 */
export async function markRead(
  { db, sendReadReceipt, tokens }: MarkReadDeps,
  { tenantId, messageId, typing, phoneNumberId: asked }: MarkRead,
): Promise<MarkReadOutcome> {
  if (!isUuid(messageId)) return { kind: 'not_found' };
  const message = await findMessage(db, tenantId, messageId);
  if (message === null) return { kind: 'not_found' };
  if ('delivery' in message) return { kind: 'outbound' };
  const { phoneNumberId, networkMessageId } = message;
  if (asked !== undefined && asked !== phoneNumberId) return { kind: 'not_found' };
  try {
    const { token } = await tokens.ofNumber(tenantId, phoneNumberId);
    return await sendReadReceipt({ phoneNumberId, networkMessageId, token, typing });
  } catch (error) {
    if (error instanceof TokenUnreadable) return { kind: 'refused', sentence: error.message };
    throw error;
  }
}
