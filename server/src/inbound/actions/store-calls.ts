import type { ContactWork } from '#contacts/actions/save-contacts';
import { addInboundMessages, type PairArrivals, type Placing } from '#conversations/actions/add-inbound';
import { showChangedPreviews } from '#conversations/store/changed-previews';
import { pairKey } from '#conversations/store/conversation-inbound';
import type { TenantId } from '#core/ids';
import type { EventType } from '#events/domain/event';
import type { CallItem } from '#inbound/domain/callback-items';
import { queueForRules } from '#inbound/store/rule-queue';
import { saveCalls } from '#inbound/store/saved-calls';
import { type Call, callContent, callOf, isUnansweredCall, mergeCalls } from '#messages/domain/call';
import { inboundJson } from '#messages/domain/inbound-json';
import { summaryOf } from '#messages/domain/inbound-summary';
import type { InboundMessage } from '#messages/domain/message';
import { lockInbound } from '#messages/store/changed-inbound';
import { nameKey } from '#messages/store/status-batch';
import { type OwnedInbound, storeInbound } from './store-inbound.ts';

/** A report of a call whose tenant is known. */
export interface OwnedCall {
  readonly tenantId: TenantId;
  readonly item: CallItem;
}

/** A stored call of which a report says more. */
interface ChangedCall {
  readonly before: Call;
  readonly call: Call;
  /** The entry of the call as it is now. */
  readonly message: InboundMessage;
  /** Whether the report says that nobody answered. */
  readonly isNewlyUnanswered: boolean;
  /** Whether a conversation was opened for it. */
  readonly opened: boolean;
}

/**
 * Stores calls as entries of their conversations: all reports of one are one entry. Idempotent, in any order. The transaction holds
 * the customers (holdSenders), so that nobody else stores the same call meanwhile.
 */
export async function storeCalls(
  work: ContactWork,
  reports: readonly OwnedCall[],
): Promise<{ readonly stored: number; readonly changed: number }> {
  if (reports.length === 0) return { stored: 0, changed: 0 };
  const calls = mergeReports(reports);
  const known = new Map(
    (await lockInbound(work.tx, [...calls.values()].map(toName))).map((message) => [nameKey(message), message]),
  );
  const changed = [...calls].flatMap(([key, { item }]) => changedCall(known.get(key), item.call));
  await storeChangedCalls(work, changed);
  const { rt, tx, events, nowMs } = work;
  const inbound = [...calls].filter(([key]) => !known.has(key)).map(([, report]) => toInbound(report));
  const { stored } = await storeInbound(rt, tx, { inbound, events, nowMs });
  return { stored, changed: changed.length };
}

/** One report of each call, which says what all of them say. Keys: nameKey. */
function mergeReports(reports: readonly OwnedCall[]): ReadonlyMap<string, OwnedCall> {
  const calls = new Map<string, OwnedCall>();
  for (const report of reports) {
    const key = nameKey(toName(report));
    const told = calls.get(key);
    if (told === undefined) calls.set(key, report);
    else calls.set(key, { ...told, item: { ...told.item, call: mergeCalls(told.item.call, report.item.call) } });
  }
  return calls;
}

function toName({ tenantId, item }: OwnedCall) {
  return { tenantId, networkMessageId: item.networkMessageId };
}

function toInbound({ tenantId, item: { call, kind: _kind, ...known } }: OwnedCall): OwnedInbound {
  return {
    tenantId,
    item: {
      ...known,
      kind: 'inbound',
      type: 'call',
      at: Date.parse(call.started_at),
      body: null,
      content: callContent(call),
      context: null,
      groupId: null,
      referral: null,
      // "24 h from the user's latest message or call": whether anybody answered does not matter, who called does.
      opensWindow: call.direction === 'user_initiated',
    },
  };
}

function changedCall(stored: InboundMessage | undefined, told: Call): readonly ChangedCall[] {
  const before = stored === undefined ? null : callOf(stored);
  if (stored === undefined || before === null) return [];
  const call = mergeCalls(before, told);
  if (call === before) return [];
  const message = { ...stored, content: callContent(call), networkMs: Date.parse(call.started_at) };
  const isNewlyUnanswered = isUnansweredCall(call) && !isUnansweredCall(before);
  return [{ before, call, message, isNewlyUnanswered, opened: false }];
}

async function storeChangedCalls(work: ContactWork, changed: readonly ChangedCall[]): Promise<void> {
  if (changed.length === 0) return;
  const { rt, tx, events, nowMs } = work;
  const placing = await addInboundMessages(rt, tx, events, pairsOf(changed.filter(isWaiting)));
  const placed = changed.map((one) => (isWaiting(one) ? withPlace(one, placing) : one));
  await saveCalls(
    tx,
    placed.map(({ call, message: { tenantId, messageId, conversationId } }) => {
      return { tenantId, messageId, call, conversationId };
    }),
  );
  await showChangedPreviews(
    tx,
    placed.flatMap(({ message }) => toPreview(message)),
  );
  await placing.emit();
  for (const one of placed) {
    events.add({ tenantId: one.message.tenantId, type: eventOf(one), data: inboundJson(one.message) });
  }
  await queueForRules(
    tx,
    placed.filter(isWaiting).map(({ opened, message: { tenantId, messageId, contactId } }) => {
      return { tenantId, messageId, contactId, opened };
    }),
    nowMs,
  );
}

function isWaiting({ isNewlyUnanswered }: ChangedCall): boolean {
  return isNewlyUnanswered;
}

function eventOf({ before, call }: ChangedCall): EventType {
  return before.ended_at === null && call.ended_at !== null ? 'call.ended' : 'call.updated';
}

/** Calls that nobody answered, by the pairs of customer and number: now they are unread and wait. */
function pairsOf(unanswered: readonly ChangedCall[]): readonly PairArrivals[] {
  const pairs = new Map<string, PairArrivals>();
  for (const { message } of unanswered) {
    const { tenantId, contactId, phoneNumberId } = message;
    const key = pairKey(message);
    const arrival = { ...message, isReferred: false, waits: true, summary: summaryOf(message) };
    const arrivals = [...(pairs.get(key)?.arrivals ?? []), arrival];
    pairs.set(key, { tenantId, contactId, phoneNumberId, arrivals });
  }
  return [...pairs.values()];
}

/** A conversation that was resolved while the phone rang may have another one after it by now: there the call waits. */
function withPlace(one: ChangedCall, { conversations }: Placing): ChangedCall {
  const place = conversations.get(pairKey(one.message));
  if (place === undefined) return one;
  return { ...one, message: { ...one.message, conversationId: place.conversationId }, opened: place.isNew };
}

function toPreview(message: InboundMessage) {
  const { tenantId, conversationId, messageId } = message;
  return conversationId === null ? [] : [{ tenantId, conversationId, messageId, text: summaryOf(message) }];
}
