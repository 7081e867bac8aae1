import { presentWaiting } from '#accounts/http/present/waiting';
import type { NamedAuthor } from '#core/caller/author';
import { ERASED } from '#core/erasure';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';
import type { MediaFields } from '#media/domain/media-content';
import type { MessageContent } from '#messages/domain/content';
import { inboundJson } from '#messages/domain/inbound-json';
import type { DeliveryError, InboundMessage, OutboundMessage, TraceEntry } from '#messages/domain/message';
import type { TemplateFields } from '#templates/domain/content';

/** A message of either direction as the API shows it. */
export function presentMessage(message: OutboundMessage | InboundMessage): JsonObject {
  return 'networkMs' in message ? inboundJson(message) : presentOutbound(message);
}

export function presentOutbound(message: OutboundMessage): JsonObject {
  return {
    id: message.messageId,
    direction: 'outbound',
    status: message.status,
    type: message.content.type,
    to: message.to,
    from: message.from,
    phone_number_id: message.phoneNumberId,
    ...(message.to === ERASED ? {} : presentContent(message.content)),
    campaign_name: message.campaignName,
    client_ref: message.clientRef,
    reply_to: message.replyTo,
    resend_of: message.resendOf,
    author: presentAuthor(message.author),
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    priority: message.priority,
    send_at: timeOrNull(message.sendAtMs),
    expires_at: formatRfc3339(message.expiresMs),
    created_at: formatRfc3339(message.createdMs),
    updated_at: formatRfc3339(message.updatedMs),
    delivery: presentDelivery(message.delivery),
    ...(message.waiting === undefined ? {} : { waiting: presentWaiting(message.waiting) }),
  };
}

function presentAuthor(author: NamedAuthor | null): JsonObject | null {
  return author && { kind: author.kind, id: author.id, name: author.name };
}

export function presentTraceEntry(entry: TraceEntry): JsonObject {
  return {
    at: formatRfc3339(entry.atMs),
    event: entry.event,
    detail: entry.detail,
    ...(entry.data ? { data: entry.data } : {}),
  };
}

function presentDelivery(delivery: OutboundMessage['delivery']): JsonObject {
  const { pricing } = delivery;
  return {
    state: delivery.state,
    network_message_id: delivery.networkMessageId,
    attempts: delivery.attempts,
    next_attempt_at: timeOrNull(delivery.nextAttemptMs),
    accepted_at: timeOrNull(delivery.acceptedMs),
    sent_at: timeOrNull(delivery.sentMs),
    delivered_at: timeOrNull(delivery.deliveredMs),
    read_at: timeOrNull(delivery.readMs),
    failed_at: timeOrNull(delivery.failedMs),
    pricing: pricing && { category: pricing.category, billable: pricing.billable, model: pricing.model },
    error: delivery.error && presentDeliveryError(delivery.error),
    possible_duplicate: delivery.possibleDuplicate,
  };
}

function presentDeliveryError(error: DeliveryError): JsonObject {
  return { code: error.code, message: error.message, network_code: error.networkCode, retryable: error.retryable };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
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

function presentTemplate({ name, language, variables, components }: TemplateFields): JsonObject {
  return {
    name,
    language,
    ...(variables === undefined ? {} : { variables }),
    // What the values became in the template is not what the caller wrote.
    ...(components === undefined || variables !== undefined ? {} : { components }),
  };
}
