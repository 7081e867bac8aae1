import type { JsonObject } from '#core/json';
import type { InboundMedia } from '#media/domain/inbound-media';
import type { InboundMessage } from './message.ts';

/** An inbound message as the API and its event show it. */
export function inboundJson(message: InboundMessage): JsonObject {
  const fields: JsonObject = {
    id: message.messageId,
    direction: 'inbound',
    type: message.type,
    from: message.from,
    from_user_id: message.fromUserId,
    profile_name: message.profileName,
    to: message.to,
    phone_number_id: message.phoneNumberId,
    body: message.body,
    media: message.media && mediaJson(message.media),
    network_message_id: message.networkMessageId,
    reply_to: message.replyTo,
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    network_timestamp: timeText(message.networkMs),
    received_at: timeText(message.createdMs),
    created_at: timeText(message.createdMs),
  };
  // The type is the network's word: one that is called like a field of ours must not replace it.
  return Object.hasOwn(fields, message.type) ? fields : { ...fields, [message.type]: message.content };
}

function mediaJson({ status, mediaId, mimeType, size, sha256, filename, error }: InboundMedia): JsonObject {
  return {
    status,
    media_id: mediaId,
    mime_type: mimeType,
    size,
    sha256,
    filename,
    error: error && { code: error.code, message: error.message },
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
