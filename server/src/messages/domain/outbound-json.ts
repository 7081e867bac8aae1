import type { NamedAuthor } from '#core/caller/author';
import { ERASED } from '#core/erasure';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';
import type { MediaFields } from '#media/domain/media-content';
import type { MessageContent } from '#messages/domain/content';
import type { DeliveryError, OutboundMessage } from '#messages/domain/message';
import type { TemplateFields } from '#templates/domain/content';
import { editsJson } from './inbound-json.ts';

/** An outbound message as the API and its events show it, without what it waits for. */
export function outboundJson(message: OutboundMessage): JsonObject {
  return {
    id: message.messageId,
    direction: 'outbound',
    status: message.status,
    type: message.content.type,
    to: message.to,
    from: message.from,
    phone_number_id: message.phoneNumberId,
    ...(message.to === ERASED || message.deletedMs !== null ? {} : presentContent(message.content)),
    campaign_name: message.campaignName,
    client_ref: message.clientRef,
    reply_to: message.replyTo,
    resend_of: message.resendOf,
    author: presentAuthor(message.author),
    edits: editsJson(message.versions),
    deleted_at: isoTimeOrNull(message.deletedMs),
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    priority: message.priority,
    send_at: isoTimeOrNull(message.sendAtMs),
    expires_at: isoTime(message.expiresMs),
    created_at: isoTime(message.createdMs),
    updated_at: isoTime(message.updatedMs),
    delivery: presentDelivery(message.delivery),
  };
}

function presentAuthor(author: NamedAuthor | null): JsonObject | null {
  return author && { kind: author.kind, id: author.id, name: author.name };
}

function presentDelivery(delivery: OutboundMessage['delivery']): JsonObject {
  const { pricing } = delivery;
  return {
    state: delivery.state,
    network_message_id: delivery.networkMessageId,
    attempts: delivery.attempts,
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptMs),
    accepted_at: isoTimeOrNull(delivery.acceptedMs),
    sent_at: isoTimeOrNull(delivery.sentMs),
    delivered_at: isoTimeOrNull(delivery.deliveredMs),
    read_at: isoTimeOrNull(delivery.readMs),
    failed_at: isoTimeOrNull(delivery.failedMs),
    pricing: pricing && { category: pricing.category, billable: pricing.billable, model: pricing.model },
    error: delivery.error && presentDeliveryError(delivery.error),
    possible_duplicate: delivery.possibleDuplicate,
  };
}

function presentDeliveryError(error: DeliveryError): JsonObject {
  return { code: error.code, message: error.message, network_code: error.networkCode, retryable: error.retryable };
}

/**
 * What a message of the business says, under the name that it was sent under. The network's own shapes (cards,
 * interactive messages, components) were checked when they came in, and are shown as they were sent.
 */
function presentContent(content: MessageContent): JsonObject {
  switch (content.type) {
    case 'text':
      return { body: content.body };
    case 'template':
      return { template: presentTemplate(content.template) };
    case 'location': {
      const { latitude, longitude, name, address } = content.location;
      return { location: { latitude, longitude, name: name ?? null, address: address ?? null } };
    }
    case 'contacts':
      return { contacts: content.contacts };
    case 'reaction': {
      const { message_id, emoji } = content.reaction;
      return { reaction: { message_id, emoji } };
    }
    case 'interactive':
      return { interactive: content.interactive };
    case 'unsupported':
      return {};
    default:
      return { media: presentMedia(content.media) };
  }
}

function presentMedia({ media_id, link, caption, filename, voice }: MediaFields): JsonObject {
  return {
    media_id: media_id ?? null,
    link: link ?? null,
    caption: caption ?? null,
    filename: filename ?? null,
    ...(voice === undefined ? {} : { voice }),
  };
}

function presentTemplate(template: TemplateFields): JsonObject {
  const { name, language, variables, components, marketing_messages } = template;
  return {
    name,
    language,
    ...(variables === undefined ? {} : { variables }),
    // What the values became in the template is not what the caller wrote.
    ...(components === undefined || variables !== undefined ? {} : { components }),
    ...(marketing_messages === undefined ? {} : { marketing_messages }),
  };
}
