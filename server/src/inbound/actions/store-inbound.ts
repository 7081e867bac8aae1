import { addUsage, slotOf, type UsageRow } from '#billing/store/usage';
import { blockAtNetwork, type ContactWork } from '#contacts/actions/save-contacts';
import { addInboundMessages, type PairArrivals } from '#conversations/actions/add-inbound';
import type { Arrival } from '#conversations/domain/conversation-inbound';
import { pairKey } from '#conversations/store/conversation-inbound';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { EventDraft } from '#events/domain/event';
import type { InboundItem } from '#inbound/domain/callback-items';
import {
  findDisplayPhones,
  findInboundByNetworkIds,
  findKnownInbound,
  type InboundRow,
  insertInbound,
  type PlacedRow,
} from '#inbound/store/inbound-batch';
import { groupByMessage, takeParkedChanges } from '#inbound/store/parked-changes';
import { takePastReceived } from '#inbound/store/past-batch';
import { queueForRules } from '#inbound/store/rule-queue';
import { readInboundMedia } from '#media/domain/inbound-media';
import { insertInboundMedia } from '#media/store/inbound-media';
import { callOf, isUnansweredCall } from '#messages/domain/call';
import { inboundJson } from '#messages/domain/inbound-json';
import { summaryOf } from '#messages/domain/inbound-summary';
import { changeMessage } from '#messages/domain/message-change';
import { findByNetworkNames, nameKey } from '#messages/store/status-batch';
import type { Runtime } from '#runtime/runtime';
import { applyIdentityChange, type JoinWork, type OwnedContact, type OwnedIdentityChange } from './join-contacts.ts';
import { resolveContacts, type SenderOf } from './resolve-contacts.ts';

/** An inbound message whose tenant is known. */
export interface OwnedInbound {
  readonly tenantId: TenantId;
  readonly item: InboundItem;
}

export interface StoreInbound<Change extends OwnedIdentityChange = OwnedIdentityChange> {
  readonly inbound: readonly OwnedInbound[];
  /** New numbers and user ids that are reported apart from messages. */
  readonly identities?: readonly Change[];
  readonly events: EventSink;
  readonly nowMs: number;
}

export interface InboundOutcome<Change> {
  /** Messages that are new. */
  readonly stored: number;
  /** Changes of people whom nobody knows. */
  readonly strangers: readonly Change[];
}

/** Stores inbound messages that are new, each with its contact and its one open conversation. */
export async function storeInbound<Change extends OwnedIdentityChange>(
  rt: Runtime,
  tx: Transaction,
  { inbound, identities = [], events, nowMs }: StoreInbound<Change>,
): Promise<InboundOutcome<Change>> {
  if (inbound.length === 0 && identities.length === 0) return { stored: 0, strangers: [] };
  const { fresh, isPast } = await withoutKnown(tx, inbound);
  // The network's order, so that a backlog reads as it was written; ids keep it.
  const inOrder = fresh.toSorted((left, right) => left.item.at - right.item.at);
  const taken = await withPast(
    tx,
    inOrder.map((one) => toRow(rt, one, nowMs)),
    isPast,
  );
  const rows = await withParkedChanges(tx, await withQuotes(tx, taken));
  const { senders, strangers, blocked } = await resolvePeople({ rt, tx, events, nowMs }, rows, {
    fresh: inOrder,
    identities,
  });
  const placed = await placeRows(rt, tx, { events, senders }, rows);
  await blockSenders({ tx, nowMs }, blocked);
  await insertInbound(tx, placed.rows);
  for (const { row } of placed.rows) {
    const media = row.deletedMs === null ? readInboundMedia(row.type, row.content) : null;
    if (media !== null) await insertInboundMedia(tx, row, media);
  }
  await placed.emit();
  const shown = await findDisplayPhones(tx, rows);
  for (const one of placed.rows) events.add(received(one, shown.get(one.row.phoneNumberId) ?? ''));
  const opening = new Set(placed.opening);
  const stored = placed.rows
    .filter(({ row }) => row.opensWindow && waits(row))
    .map(({ row, contactId }) => {
      const { tenantId, messageId } = row;
      return { tenantId, messageId, contactId, opened: opening.has(row) };
    });
  await queueForRules(tx, stored, nowMs);
  // Last, so that a transaction that waits for these counters holds nothing that this one still needs.
  await addUsage(tx, { rows: usageOf(placed), atMs: nowMs, slot: slotOf(rt.newId()) });
  return { stored: fresh.length, strangers };
}

/**
 * The contacts of messages, and of changes of their names. Changes of people who are known come first: then what these write
 * under their new names makes no contact. The others are of people who are known by their messages, or by nobody.
 */
async function resolvePeople<Change extends OwnedIdentityChange>(
  parts: ContactWork,
  rows: readonly InboundRow[],
  { fresh, identities }: { readonly fresh: readonly OwnedInbound[]; readonly identities: readonly Change[] },
): Promise<{
  readonly senders: SenderOf;
  readonly strangers: readonly Change[];
  readonly blocked: readonly OwnedContact[];
}> {
  const blocked: OwnedContact[] = [];
  const work: JoinWork = { ...parts, survivors: new Map(), blocked };
  const reported = fresh.flatMap(({ tenantId, item: { identityChange, at } }): readonly OwnedIdentityChange[] =>
    identityChange ? [{ ...identityChange, tenantId, at }] : [],
  );
  const unknown = await applyIdentityChanges(work, [...reported, ...identities]);
  const senders = await resolveContacts(work, rows);
  const strangers = new Set(await applyIdentityChanges(work, unknown));
  return { senders, strangers: identities.filter((change) => strangers.has(change)), blocked };
}

/** Whoever is blocked here and writes can be blocked at the network: by a number that never heard of her, or that could not do it before. */
async function blockSenders(work: Pick<ContactWork, 'tx' | 'nowMs'>, blocked: readonly OwnedContact[]): Promise<void> {
  for (const tenantId of new Set(blocked.map((one) => one.tenantId))) {
    const own = blocked.filter((one) => one.tenantId === tenantId).map((one) => one.contact);
    await blockAtNetwork(work, tenantId, own);
  }
}

/** Applies changes in the network's order. @returns those of people whom nobody knows */
async function applyIdentityChanges(
  work: JoinWork,
  changes: readonly OwnedIdentityChange[],
): Promise<readonly OwnedIdentityChange[]> {
  const unknown: OwnedIdentityChange[] = [];
  for (const change of changes.toSorted((one, other) => one.at - other.at)) {
    if ((await applyIdentityChange(work, change)) === null) unknown.push(change);
  }
  return unknown;
}

interface PlacedRows {
  readonly rows: readonly PlacedRow[];
  /** One message of each conversation that is new. */
  readonly opening: readonly InboundRow[];
  emit(): Promise<void>;
}

/** Gives each message its contact and its conversation. */
async function placeRows(
  rt: Runtime,
  tx: Transaction,
  { events, senders }: { readonly events: EventSink; readonly senders: SenderOf },
  rows: readonly InboundRow[],
): Promise<PlacedRows> {
  const known = rows.map((row) => ({ row, contactId: senders(row) }));
  const pairs = new Map<string, PairArrivals>();
  for (const { row, contactId } of known) {
    // What is said in a group must not stand in the private conversation of whoever said it: an answer would go there.
    if (row.groupId !== null) continue;
    const { tenantId, phoneNumberId } = row;
    const key = pairKey({ tenantId, contactId, phoneNumberId });
    const arrivals = [...(pairs.get(key)?.arrivals ?? []), toArrival(row)];
    pairs.set(key, { tenantId, contactId, phoneNumberId, arrivals });
  }
  const placing = await addInboundMessages(rt, tx, events, [...pairs.values()]);
  const nowhere = { conversationId: null, isNew: false };
  const placed = known.map(({ row, contactId }) => {
    const place = row.groupId === null ? placing.conversations.get(pairKey({ ...row, contactId })) : undefined;
    return { row, contactId, ...(place ?? nowhere) };
  });
  const opening = placed.filter(({ isNew, row }) => isNew && row.opensWindow);
  const firsts = new Map(opening.map((one) => [one.conversationId, one.row]));
  return { rows: placed, opening: [...firsts.values()], emit: placing.emit };
}

function toArrival(row: InboundRow): Arrival {
  return { ...row, isReferred: row.referral !== null, waits: waits(row), summary: summaryOf(row) };
}

/** Whether it waits for an answer: every message does, but only such calls as nobody answered. */
function waits(row: Pick<InboundRow, 'type' | 'content'>): boolean {
  const call = callOf(row);
  return call === null || isUnansweredCall(call);
}

/** The event of a new message or call, in the shape in which the API shows it. */
function received({ row, contactId, conversationId }: PlacedRow, to: string): EventDraft {
  const { phone, userId, nowMs, ...same } = row;
  const announced = readInboundMedia(row.type, row.content);
  const media = announced && { ...announced, status: 'pending' as const, mediaId: null, size: null, error: null };
  const message = { ...same, to, from: phone, fromUserId: userId, media, contactId, conversationId, createdMs: nowMs };
  const call = callOf(row);
  const type = call === null ? 'message.received' : call.ended_at === null ? 'call.started' : 'call.ended';
  return { tenantId: row.tenantId, type, data: inboundJson(message) };
}

function usageOf({ rows, opening }: PlacedRows): readonly UsageRow[] {
  const messages = rows.filter(({ row }) => callOf(row) === null);
  const inbound = messages.map(
    ({ row: { tenantId, phoneNumberId, type } }): UsageRow => ({
      tenantId,
      phoneNumberId,
      fact: 'inbound',
      name: type,
      amount: 1,
    }),
  );
  const opened = opening.map(
    ({ tenantId, phoneNumberId }): UsageRow => ({ tenantId, phoneNumberId, fact: 'conversation', name: '', amount: 1 }),
  );
  return [...inbound, ...opened];
}

/** What nobody stored yet, and what only the history of the number reported: of that, nobody was told. */
async function withoutKnown(
  tx: Transaction,
  inbound: readonly OwnedInbound[],
): Promise<{ readonly fresh: readonly OwnedInbound[]; readonly isPast: boolean }> {
  const keyOf = ({ tenantId, item: { networkMessageId } }: OwnedInbound) => nameKey({ tenantId, networkMessageId });
  const unique = [...new Map(inbound.map((one) => [keyOf(one), one])).values()];
  const known = new Map<string, boolean>();
  for (const tenantId of new Set(unique.map((one) => one.tenantId))) {
    const ids = unique.filter((one) => one.tenantId === tenantId).map((one) => one.item.networkMessageId);
    for (const [networkMessageId, isPast] of await findKnownInbound(tx, tenantId, ids))
      known.set(nameKey({ tenantId, networkMessageId }), isPast);
  }
  const isPast = [...known.values()].includes(true);
  return { fresh: unique.filter((one) => known.get(keyOf(one)) !== false), isPast };
}

/** Messages that the history reported keep their ids, and what was edited or deleted of them. */
async function withPast(tx: Transaction, rows: readonly InboundRow[], isPast: boolean): Promise<readonly InboundRow[]> {
  if (!isPast) return rows;
  const taken = new Map((await takePastReceived(tx, rows)).map((one) => [nameKey(one), one]));
  return rows.map((row) => {
    const was = taken.get(nameKey(row));
    if (was === undefined) return row;
    const { messageId, body, content, versions, deletedMs } = was;
    const isChanged = versions !== null || deletedMs !== null;
    return { ...row, messageId, ...(isChanged ? { body, content, versions, deletedMs } : {}) };
  });
}

/** The messages as edits and deletions left them that came before they did. */
async function withParkedChanges(tx: Transaction, rows: readonly InboundRow[]): Promise<readonly InboundRow[]> {
  const changes = groupByMessage(await takeParkedChanges(tx, rows));
  if (changes.size === 0) return rows;
  return rows.map((row) =>
    (changes.get(nameKey(row)) ?? []).reduce((said, { change }) => changeMessage(said, change), row),
  );
}

/** Names the messages that these answer: of the business, and of the customer, also among these. */
async function withQuotes(tx: Transaction, rows: readonly InboundRow[]): Promise<readonly InboundRow[]> {
  const quoting = rows.flatMap((row) => {
    const quoted = row.context?.quoted;
    const recipients = [row.phone, row.userId].filter((one) => one !== null);
    return quoted ? [{ tenantId: row.tenantId, recipients, networkMessageId: quoted.id }] : [];
  });
  const sent = await findByNetworkNames(tx, quoting);
  const received = await findInboundByNetworkIds(tx, quoting);
  const beside = new Map(rows.map((row) => [nameKey(row), row.messageId]));
  return rows.map((row) => {
    const key = nameKey({ tenantId: row.tenantId, networkMessageId: row.context?.quoted?.id ?? '' });
    return { ...row, replyTo: sent.get(key) ?? received.get(key) ?? beside.get(key) ?? null };
  });
}

function toRow(rt: Runtime, { tenantId, item }: OwnedInbound, nowMs: number): InboundRow {
  return {
    tenantId,
    messageId: rt.newId<MessageId>(),
    networkMessageId: item.networkMessageId,
    phoneNumberId: item.phoneNumberId as PhoneNumberId,
    phone: item.from,
    userId: item.userId,
    profileName: item.profileName,
    username: item.username,
    type: item.type,
    body: item.body,
    content: item.content,
    context: item.context,
    groupId: item.groupId,
    opensWindow: item.opensWindow,
    versions: null,
    deletedMs: null,
    replyTo: null,
    referral: item.referral,
    networkMs: item.at,
    nowMs,
  };
}
