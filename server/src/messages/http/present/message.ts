import { presentWaiting } from '#accounts/http/present/waiting';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { inboundJson } from '#messages/domain/inbound-json';
import type { InboundMessage, OutboundMessage, TraceEntry } from '#messages/domain/message';
import { outboundJson } from '#messages/domain/outbound-json';

/** A message of either direction as the API shows it. */
export function presentMessage(message: OutboundMessage | InboundMessage): JsonObject {
  return 'networkMs' in message ? inboundJson(message) : presentOutbound(message);
}

export function presentOutbound(message: OutboundMessage): JsonObject {
  const { waiting } = message;
  return { ...outboundJson(message), ...(waiting === undefined ? {} : { waiting: presentWaiting(waiting) }) };
}

export function presentTraceEntry(entry: TraceEntry): JsonObject {
  return {
    at: formatRfc3339(entry.atMs),
    event: entry.event,
    detail: entry.detail,
    ...(entry.data ? { data: entry.data } : {}),
  };
}
