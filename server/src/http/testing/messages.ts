import type { ContactId, ConversationId, MessageId, PhoneNumberId } from '#core/ids';
import type { InboundMessage, OutboundMessage } from '#messages/domain/message';
import { messageId, tenantId } from './fake-api.ts';

/** An outbound message as storage returns it: queued, nothing else. */
export function outboundMessage(changes: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    tenantId,
    messageId,
    content: { type: 'text', body: 'hello', previewUrl: false },
    to: '447700900123',
    from: '15550100001',
    phoneNumberId: '106540352242922' as PhoneNumberId,
    campaignName: null,
    clientRef: null,
    replyTo: null,
    resendOf: null,
    author: null,
    priority: 'normal',
    sendAtMs: null,
    expiresMs: Date.UTC(2030, 0, 2),
    createdMs: Date.UTC(2030, 0, 1),
    versions: null,
    deletedMs: null,
    updatedMs: Date.UTC(2030, 0, 1),
    status: 'queued',
    contactId: null,
    conversationId: null,
    delivery: {
      state: 'pending',
      networkMessageId: null,
      attempts: 0,
      nextAttemptMs: null,
      acceptedMs: null,
      sentMs: null,
      deliveredMs: null,
      readMs: null,
      failedMs: null,
      pricing: null,
      error: null,
      possibleDuplicate: false,
    },
    ...changes,
  };
}

/** An inbound text as storage returns it. */
export function inboundMessage(changes: Partial<InboundMessage> = {}): InboundMessage {
  return {
    tenantId,
    messageId: '0190a6f3-1111-7222-8333-444455556666' as MessageId,
    networkMessageId: 'wamid.1',
    type: 'text',
    from: '447700900123',
    fromUserId: null,
    to: '15550100001',
    phoneNumberId: '106540352242922' as PhoneNumberId,
    body: 'thanks',
    content: { body: 'thanks' },
    media: null,
    profileName: 'Sam',
    replyTo: null,
    context: null,
    referral: null,
    groupId: null,
    opensWindow: true,
    versions: null,
    deletedMs: null,
    contactId: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f' as ContactId,
    conversationId: '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f' as ConversationId,
    networkMs: Date.UTC(2030, 0, 1),
    createdMs: Date.UTC(2030, 0, 1, 0, 0, 1),
    ...changes,
  };
}
