import { findIdempotency } from '#access/store/idempotency';
import type { MessageAuthor } from '#core/caller/author';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ERASED } from '#core/erasure';
import { isUuid, type TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { MessageStatus, OutboundMessage } from '#messages/domain/message';
import { findMessage } from '#messages/store/message-reads';
import type { AcceptOutcome, MessageAcceptor, SendRequest } from './accept-message.ts';

export type ResendOutcome =
  | AcceptOutcome
  | { readonly kind: 'not_found' }
  | { readonly kind: 'erased' }
  /** Written on the phone: what the network would take again is not known. */
  | { readonly kind: 'from_phone' }
  | { readonly kind: 'not_failed'; readonly status: MessageStatus };

export interface Resend {
  readonly tenantId: TenantId;
  readonly messageId: string;
  /** Who has it sent again. */
  readonly author: MessageAuthor | null;
  readonly claim: IdempotencyClaim | null;
}

/**
 * Sends a failed message again: a new message with the same content and an equally long validity, which names the
 * first.
 * @throws ApiProblem as accepting any message does
 */
export async function resendMessage(
  { db, acceptor }: { readonly db: Database; readonly acceptor: Pick<MessageAcceptor, 'accept'> },
  { tenantId, messageId, author, claim }: Resend,
): Promise<ResendOutcome> {
  if (!isUuid(messageId)) return { kind: 'not_found' };
  const message = await findMessage(db, tenantId, messageId);
  if (message === null || !('delivery' in message)) return { kind: 'not_found' };
  if (message.to === ERASED) return { kind: 'erased' };
  if (message.author?.kind === 'phone') return { kind: 'from_phone' };
  // A repetition gets its first answer, also when the message has been queued again since.
  const known = claim === null ? null : await findIdempotency(db, tenantId, claim.keyHash);
  if (message.status !== 'failed' && known === null) return { kind: 'not_failed', status: message.status };
  return acceptor.accept(tenantId, requestOf(message, author), claim);
}

function requestOf(message: OutboundMessage, author: MessageAuthor | null): SendRequest {
  const startMs = Math.max(message.createdMs, message.sendAtMs ?? message.createdMs);
  return {
    to: message.to,
    content: message.content,
    phoneNumberId: message.phoneNumberId,
    campaignName: message.campaignName,
    clientRef: message.clientRef,
    replyTo: message.replyTo,
    resendOf: message.messageId,
    author,
    priority: message.priority,
    sendAtMs: null,
    expiresMs: null,
    ttlS: Math.max(1, Math.round((message.expiresMs - startMs) / 1000)),
  };
}
