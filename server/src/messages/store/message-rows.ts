import type { ContactId, ConversationId, MediaId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { Schema } from '#database/schema';
import type { InboundMedia } from '#media/domain/inbound-media';
import { contentFromStored } from '#messages/domain/content';
import type { DeliveryState } from '#messages/domain/delivery';
import type { InboundMessage, MessageStatus, OutboundMessage, TraceEntry } from '#messages/domain/message';
import { priorities } from '#messages/domain/message';
import { holdSentences, type RepeatHold } from '#messages/domain/repeat-hold';

/** An outbound row with what the queue and the number know about it. */
export type OutboundRow = Schema['outbound_messages'] & {
  readonly queue_state: number | null;
  readonly queue_due_ms: number | null;
  readonly queue_attempts: number | null;
  readonly display_phone: string | null;
  readonly number_status: 'active' | 'paused' | null;
  readonly pause_reason: string | null;
};

/** An inbound row with what is known of its number and of its media. */
export type InboundMessageRow = Schema['inbound_messages'] & {
  readonly display_phone: string | null;
  readonly media_status: 'pending' | 'ready' | 'failed' | null;
  readonly media_id: string | null;
  readonly media_mime_type: string | null;
  readonly media_size: number | null;
  readonly media_sha256: string | null;
  readonly media_filename: string | null;
  readonly media_error: { readonly code: string; readonly message: string } | null;
};

export function toOutbound(row: OutboundRow): OutboundMessage {
  return {
    tenantId: row.tenant_id as TenantId,
    messageId: row.message_id as MessageId,
    content: contentFromStored(row.type, row.content),
    to: row.to_phone,
    from: row.display_phone ?? '',
    phoneNumberId: row.phone_number_id as PhoneNumberId,
    campaignName: row.campaign_name,
    clientRef: row.client_ref,
    replyTo: row.reply_to as MessageId | null,
    resendOf: row.resend_of as MessageId | null,
    priority: priorities[row.priority] ?? 'normal',
    sendAtMs: row.send_at_ms,
    expiresMs: row.expires_ms,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    status: statusOf(row),
    delivery: toDelivery(row),
    contactId: row.contact_id as ContactId | null,
    conversationId: row.conversation_id as ConversationId | null,
  };
}

function statusOf(row: OutboundRow): MessageStatus {
  const claimed = row.queue_state === queueState.claimed || row.queue_state === queueState.unknown;
  return row.status === 'queued' && claimed ? 'sending' : row.status;
}

function toDelivery(row: OutboundRow): OutboundMessage['delivery'] {
  const waits = row.status === 'queued' && row.queue_state !== queueState.claimed;
  return {
    state: deliveryStateOf(row),
    networkMessageId: row.network_message_id,
    attempts: Math.max(row.attempts, row.queue_attempts ?? 0),
    nextAttemptMs: waits ? row.queue_due_ms : null,
    acceptedMs: row.accepted_ms,
    sentMs: row.sent_ms,
    deliveredMs: row.delivered_ms,
    readMs: row.read_ms,
    failedMs: row.failed_ms,
    pricing: row.pricing,
    error: row.error,
    possibleDuplicate: row.possible_duplicate,
  };
}

function deliveryStateOf(row: OutboundRow): DeliveryState {
  if (row.status === 'failed') return 'failed';
  if (row.read_ms !== null) return 'read';
  if (row.delivered_ms !== null) return 'delivered';
  if (row.sent_ms !== null) return 'sent';
  if (row.status === 'sent') return 'accepted';
  return row.queue_state === queueState.unknown ? 'unknown' : 'pending';
}

export function toInbound(row: InboundMessageRow): InboundMessage {
  return {
    tenantId: row.tenant_id as TenantId,
    messageId: row.message_id as MessageId,
    networkMessageId: row.network_message_id,
    type: row.type,
    from: row.from_phone,
    fromUserId: row.from_user_id,
    to: row.display_phone ?? '',
    phoneNumberId: row.phone_number_id as PhoneNumberId,
    body: row.body,
    content: row.content,
    media: toInboundMedia(row),
    profileName: row.profile_name,
    replyTo: row.reply_to as MessageId | null,
    contactId: row.contact_id as ContactId,
    conversationId: row.conversation_id as ConversationId,
    networkMs: row.network_ms,
    createdMs: row.created_ms,
  };
}

function toInboundMedia(row: InboundMessageRow): InboundMedia | null {
  if (row.media_status === null) return null;
  return {
    status: row.media_status,
    mediaId: row.media_id as MediaId | null,
    mimeType: row.media_mime_type,
    size: row.media_size === null ? null : Number(row.media_size),
    sha256: row.media_sha256,
    filename: row.media_filename,
    error: row.media_error,
  };
}

/**
 * The trace: the ordinary way from the columns, everything else from the history, in order of when we learned it.
 * @param hold why it is not repeated although its outcome is unknown and its wait has ended
 */
export function toTrace(row: OutboundRow, hold: RepeatHold | null): readonly TraceEntry[] {
  const entries: TraceEntry[] = [
    { atMs: row.created_ms, event: 'accepted', detail: 'The message was stored and queued; the caller got 202.' },
    ...(row.history ?? []),
  ];
  const replaced = row.type === 'template' ? row.content.instead_of : undefined;
  if (typeof replaced === 'string') entries.push(replacement(row, replaced));
  if (row.send_at_ms !== null) {
    const data = { until: new Date(row.send_at_ms).toISOString() };
    entries.push({ atMs: row.created_ms, event: 'scheduled', detail: 'It waits for its send_at.', data });
  }
  if (row.accepted_ms !== null) {
    const data = { attempt: row.attempts, network_message_id: row.network_message_id };
    entries.push({ atMs: row.accepted_ms, event: 'sent', detail: 'The network took it and gave it an id.', data });
  }
  entries.push(...statusEntries(row), ...currentWait(row, hold));
  return entries.sort((a, b) => a.atMs - b.atMs);
}

function replacement({ created_ms: atMs, content }: OutboundRow, type: string): TraceEntry {
  const detail = `The customer has not written within 24 hours: the template of the tenant goes instead of the ${type}.`;
  return { atMs, event: 'replaced_by_template', detail, data: { type, template: content.name ?? null } };
}

function statusEntries(row: OutboundRow): TraceEntry[] {
  const statuses = [
    ['sent', row.sent_ms, row.sent_learned_ms],
    ['delivered', row.delivered_ms, row.delivered_learned_ms],
    ['read', row.read_ms, row.read_learned_ms],
    ['failed', row.failed_ms, row.failed_learned_ms],
  ] as const;
  return statuses.flatMap(([status, networkMs, learnedMs]) => {
    if (networkMs === null || learnedMs === null) return [];
    const detail =
      status === 'failed' && row.error
        ? `The network reported: ${row.error.message}`
        : `The network reported: ${status}.`;
    return [
      { atMs: learnedMs, event: `status_${status}`, detail, data: { network_time: new Date(networkMs).toISOString() } },
    ];
  });
}

/** Its wait has ended, and yet nothing is decided: until its validity ends. */
function heldBack(row: OutboundRow, hold: RepeatHold): TraceEntry {
  const data = { reason: hold, until: new Date(row.expires_ms).toISOString() };
  return { atMs: row.queue_due_ms ?? row.updated_ms, event: 'waiting', detail: holdSentences[hold], data };
}

/** What it waits for right now, if anything. */
function currentWait(row: OutboundRow, hold: RepeatHold | null): TraceEntry[] {
  if (row.status !== 'queued') return [];
  const atMs = Math.max(row.updated_ms, row.created_ms);
  if (row.queue_state === queueState.claimed) return [{ atMs, event: 'sending', detail: 'It is being sent now.' }];
  if (row.queue_state === queueState.unknown) return hold === null ? [] : [heldBack(row, hold)];
  if (row.queue_due_ms === null) return [];
  if (row.number_status === 'paused') {
    return [
      {
        atMs,
        event: 'waiting',
        detail: `Its sending number is paused${row.pause_reason ? `: ${row.pause_reason.replace(/\.$/, '')}` : ''}.`,
      },
    ];
  }
  return [
    {
      atMs,
      event: 'waiting',
      detail: 'It waits in the queue of its sending number.',
      data: { until: new Date(row.queue_due_ms).toISOString() },
    },
  ];
}
