import type { NamedAuthor } from '#core/caller/author';
import type { MediaId } from '#core/ids';
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
  readonly queueState: number | null;
  readonly queueDueMs: number | null;
  readonly queueAttempts: number | null;
  readonly displayPhone: string | null;
  readonly numberStatus: 'active' | 'paused' | null;
  readonly pauseReason: string | null;
  readonly author: NamedAuthor | null;
};

/** An inbound row with what is known of its number and of its media. */
export type InboundMessageRow = Schema['inbound_messages'] & {
  readonly displayPhone: string | null;
  readonly mediaStatus: 'pending' | 'ready' | 'failed' | null;
  readonly mediaId: string | null;
  readonly mediaMimeType: string | null;
  readonly mediaSize: number | null;
  readonly mediaSha256: string | null;
  readonly mediaFilename: string | null;
  readonly mediaError: { readonly code: string; readonly message: string } | null;
};

export function toOutbound(row: OutboundRow): OutboundMessage {
  return {
    tenantId: row.tenantId,
    messageId: row.messageId,
    content: contentFromStored(row.type, row.content),
    to: row.toPhone,
    from: row.displayPhone ?? '',
    phoneNumberId: row.phoneNumberId,
    campaignName: row.campaignName,
    clientRef: row.clientRef,
    replyTo: row.replyTo,
    resendOf: row.resendOf,
    author: row.author,
    priority: priorities[row.priority] ?? 'normal',
    sendAtMs: row.sendAtMs,
    expiresMs: row.expiresMs,
    createdMs: row.createdMs,
    updatedMs: updatedMsOf(row),
    versions: row.versions,
    deletedMs: row.deletedMs,
    status: statusOf(row),
    delivery: toDelivery(row),
    contactId: row.contactId,
    conversationId: row.conversationId,
  };
}

/** When it was last changed. A status that brings the first time of its stage leaves `updated_ms` alone (see `updatedMsSql`). */
function updatedMsOf({ updatedMs, sentLearnedMs, deliveredLearnedMs, readLearnedMs }: OutboundRow): number {
  return Math.max(updatedMs, sentLearnedMs ?? 0, deliveredLearnedMs ?? 0, readLearnedMs ?? 0);
}

function statusOf(row: OutboundRow): MessageStatus {
  const claimed = row.queueState === queueState.claimed || row.queueState === queueState.unknown;
  return row.status === 'queued' && claimed ? 'sending' : row.status;
}

function toDelivery(row: OutboundRow): OutboundMessage['delivery'] {
  const waits = row.status === 'queued' && row.queueState !== queueState.claimed;
  return {
    state: deliveryStateOf(row),
    networkMessageId: row.networkMessageId,
    attempts: Math.max(row.attempts, row.queueAttempts ?? 0),
    nextAttemptMs: waits ? row.queueDueMs : null,
    acceptedMs: row.acceptedMs,
    sentMs: row.sentMs,
    deliveredMs: row.deliveredMs,
    readMs: row.readMs,
    failedMs: row.failedMs,
    pricing: row.pricing,
    error: row.error,
    possibleDuplicate: row.possibleDuplicate,
  };
}

function deliveryStateOf(row: OutboundRow): DeliveryState {
  if (row.status === 'failed') return 'failed';
  if (row.readMs !== null) return 'read';
  if (row.deliveredMs !== null) return 'delivered';
  if (row.sentMs !== null) return 'sent';
  if (row.status === 'sent') return 'accepted';
  return row.queueState === queueState.unknown ? 'unknown' : 'pending';
}

export function toInbound(row: InboundMessageRow): InboundMessage {
  return {
    tenantId: row.tenantId,
    messageId: row.messageId,
    networkMessageId: row.networkMessageId,
    type: row.type,
    from: row.fromPhone,
    fromUserId: row.fromUserId,
    to: row.displayPhone ?? '',
    phoneNumberId: row.phoneNumberId,
    body: row.body,
    content: row.content,
    media: toInboundMedia(row),
    profileName: row.profileName,
    replyTo: row.replyTo,
    context: row.context,
    referral: row.referral,
    groupId: row.groupId,
    opensWindow: row.opensWindow,
    versions: row.versions,
    deletedMs: row.deletedMs,
    contactId: row.contactId,
    conversationId: row.conversationId,
    networkMs: row.networkMs,
    createdMs: row.createdMs,
  };
}

function toInboundMedia(row: InboundMessageRow): InboundMedia | null {
  if (row.mediaStatus === null) return null;
  return {
    status: row.mediaStatus,
    mediaId: row.mediaId as MediaId | null,
    mimeType: row.mediaMimeType,
    size: row.mediaSize,
    sha256: row.mediaSha256,
    filename: row.mediaFilename,
    error: row.mediaError,
  };
}

/**
 * The trace: the ordinary way from the columns, everything else from the history, in order of when we learned it.
 * @param hold why it is not repeated although its outcome is unknown and its wait has ended
 */
export function toTrace(row: OutboundRow, hold: RepeatHold | null): readonly TraceEntry[] {
  const entries: TraceEntry[] = [beginning(row), ...(row.history ?? [])];
  const replaced = row.type === 'template' ? row.content.instead_of : undefined;
  if (typeof replaced === 'string') entries.push(replacement(row, replaced));
  if (row.sendAtMs !== null) {
    const data = { until: new Date(row.sendAtMs).toISOString() };
    entries.push({ atMs: row.createdMs, event: 'scheduled', detail: 'It waits for its send_at.', data });
  }
  if (row.acceptedMs !== null) {
    const data = { attempt: row.attempts, network_message_id: row.networkMessageId };
    entries.push({ atMs: row.acceptedMs, event: 'sent', detail: 'The network accepted it and assigned an ID.', data });
  }
  entries.push(...statusEntries(row), ...currentWait(row, hold));
  return entries.sort((a, b) => a.atMs - b.atMs);
}

function beginning({ createdMs: atMs, author }: OutboundRow): TraceEntry {
  if (author?.kind === 'phone')
    return { atMs, event: 'echoed', detail: 'It was written on the phone of the business, as the network reported.' };
  return { atMs, event: 'accepted', detail: 'The message was stored and queued. The caller got 202.' };
}

function replacement({ createdMs: atMs, content }: OutboundRow, type: string): TraceEntry {
  const detail = `The customer has not written within 24 hours. The tenant's template is sent instead of the ${type}.`;
  return { atMs, event: 'replaced_by_template', detail, data: { type, template: content.name ?? null } };
}

function statusEntries(row: OutboundRow): TraceEntry[] {
  const statuses = [
    ['sent', row.sentMs, row.sentLearnedMs],
    ['delivered', row.deliveredMs, row.deliveredLearnedMs],
    ['read', row.readMs, row.readLearnedMs],
    ['failed', row.failedMs, row.failedLearnedMs],
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
  const data = { reason: hold, until: new Date(row.expiresMs).toISOString() };
  return { atMs: row.queueDueMs ?? updatedMsOf(row), event: 'waiting', detail: holdSentences[hold], data };
}

/** What it waits for right now, if anything. */
function currentWait(row: OutboundRow, hold: RepeatHold | null): TraceEntry[] {
  if (row.status !== 'queued') return [];
  const atMs = Math.max(updatedMsOf(row), row.createdMs);
  if (row.queueState === queueState.claimed) return [{ atMs, event: 'sending', detail: 'It is being sent now.' }];
  if (row.queueState === queueState.unknown) return hold === null ? [] : [heldBack(row, hold)];
  if (row.queueDueMs === null) return [];
  if (row.numberStatus === 'paused') {
    const why = row.pauseReason ? `: ${row.pauseReason.replace(/\.$/, '')}` : '';
    return [{ atMs, event: 'waiting', detail: `Its sending number is paused${why}.` }];
  }
  const data = { until: new Date(row.queueDueMs).toISOString() };
  return [{ atMs, event: 'waiting', detail: 'It waits in the queue of its sending number.', data }];
}
