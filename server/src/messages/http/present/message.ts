import { ERASED } from '#core/erasure';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { inboundJson } from '#messages/domain/inbound-json';
import type { DeliveryError, InboundMessage, OutboundMessage, TraceEntry } from '#messages/domain/message';
import { presentContent } from './content.ts';

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
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    priority: message.priority,
    send_at: timeOrNull(message.sendAtMs),
    expires_at: formatRfc3339(message.expiresMs),
    created_at: formatRfc3339(message.createdMs),
    updated_at: formatRfc3339(message.updatedMs),
    delivery: presentDelivery(message.delivery),
  };
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
