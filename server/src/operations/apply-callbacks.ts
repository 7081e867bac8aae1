import { type CallbackItem, type InboundItem, interpretCallback, type StatusItem } from '#core/callback';
import { type EchoSecret, readEcho } from '#core/echo';
import type { CallbackId, ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonValue } from '#core/json';
import type { TraceEntry } from '#core/message';
import type { Runtime } from '#runtime/runtime';
import { keepLeftovers, type Leftover, takeCallbacks } from '#storage/callbacks';
import type { Database, SqlRunner } from '#storage/database';
import {
  findKnownInbound,
  findOrMakeContact,
  findOrOpenConversation,
  type InboundRow,
  insertInbound,
} from '#storage/inbound-batch';
import { findNumberOwners } from '#storage/phone-numbers';
import {
  applyStatuses,
  findByNetworkIds,
  type ParkedStatus,
  parkStatuses,
  unparkStatuses,
} from '#storage/status-batch';
import { mergeStatuses, type PlacedStatus } from './merge-statuses.ts';

/** A callback with its items, ready to be applied. */
export interface ParsedCallback {
  readonly callbackId: CallbackId;
  readonly items: readonly CallbackItem[];
}

export interface IngestParts {
  readonly rt: Runtime;
  readonly db: Database;
  readonly echoSecret: EchoSecret;
}

/** How many items became what. */
export interface IngestCounts {
  readonly status: number;
  readonly inbound: number;
  readonly parked: number;
  readonly leftover: number;
}

/** Reads the raw body of a callback; never throws, since it is stored and answered already. */
export function parseCallback(callbackId: CallbackId, body: string): ParsedCallback {
  try {
    return { callbackId, items: interpretCallback(JSON.parse(body)) };
  } catch {
    return { callbackId, items: [{ kind: 'ignored', reason: 'The body is not JSON.', raw: body.slice(0, 2_000) }] };
  }
}

interface Located<Item> {
  readonly callbackId: CallbackId;
  readonly index: number;
  readonly item: Item;
}

/**
 * Stores everything that a batch of callbacks says, and takes them out of the queue, in one transaction: killed
 * before the commit nothing happened, after it everything. Idempotent: whatever was stored before changes nothing.
 */
export async function applyCallbacks(parts: IngestParts, callbacks: readonly ParsedCallback[]): Promise<IngestCounts> {
  const nowMs = parts.rt.clock.now();
  return parts.db.transaction(async (tx) => {
    const taken = await takeCallbacks(
      tx,
      callbacks.map(({ callbackId }) => callbackId),
    );
    const located = callbacks
      .filter(({ callbackId }) => taken.has(callbackId))
      .flatMap(({ callbackId, items }) => items.map((item, index) => ({ callbackId, index, item })));
    const batch = await sortItems(tx, located);
    const leftovers = [...batch.leftovers];
    const { applied, parked } = await storeStatuses(parts, tx, { statuses: batch.statuses, leftovers, nowMs });
    const inbound = await storeInbound(parts.rt, tx, batch.inbound, nowMs);
    await keepLeftovers(tx, leftovers, nowMs);
    return { status: applied, inbound, parked, leftover: leftovers.length };
  });
}

interface SortedItems {
  readonly statuses: readonly (Located<StatusItem> & { readonly tenantId: TenantId })[];
  readonly inbound: readonly (Located<InboundItem> & { readonly tenantId: TenantId })[];
  readonly leftovers: readonly Leftover[];
}

/** Finds the tenant of each item by its number; what has none, or is of an unknown kind, is left over. */
async function sortItems(tx: SqlRunner, located: readonly Located<CallbackItem>[]): Promise<SortedItems> {
  const numbers = new Set(
    located.flatMap(({ item }) => (item.kind === 'status' || item.kind === 'inbound' ? [item.phoneNumberId] : [])),
  );
  const owners = numbers.size === 0 ? new Map<string, TenantId>() : await findNumberOwners(tx, [...numbers]);
  const statuses: (Located<StatusItem> & { tenantId: TenantId })[] = [];
  const inbound: (Located<InboundItem> & { tenantId: TenantId })[] = [];
  const leftovers: Leftover[] = [];
  for (const one of located) {
    const { item } = one;
    if (item.kind === 'other') leftovers.push(leftover(one, item.name, 'Nothing reads this kind yet.', item.raw));
    else if (item.kind === 'ignored') leftovers.push(leftover(one, 'malformed', item.reason, item.raw));
    else {
      const tenantId = owners.get(item.phoneNumberId);
      if (tenantId === undefined)
        leftovers.push(leftover(one, 'unknown_number', `Nobody has the number ${item.phoneNumberId}.`, toJson(item)));
      else if (item.kind === 'status') statuses.push({ ...one, item, tenantId });
      else inbound.push({ ...one, item, tenantId });
    }
  }
  return { statuses, inbound, leftovers };
}

function leftover({ callbackId, index }: Located<unknown>, name: string, reason: string, raw: JsonValue): Leftover {
  return { callbackId, item: index, name, reason, raw };
}

function toJson(item: StatusItem | InboundItem): JsonValue {
  return JSON.parse(JSON.stringify(item)) as JsonValue;
}

interface StoreStatuses {
  readonly statuses: SortedItems['statuses'];
  /** Statuses of messages that are not theirs are added here. */
  readonly leftovers: Leftover[];
  readonly nowMs: number;
}

async function storeStatuses(
  parts: IngestParts,
  tx: SqlRunner,
  { statuses, leftovers, nowMs }: StoreStatuses,
): Promise<{ applied: number; parked: number }> {
  if (statuses.length === 0) return { applied: 0, parked: 0 };
  const placed = placeByEcho(parts.echoSecret, statuses);
  const unplaced = statuses.filter((_, index) => placed[index] === null);
  const known = await findByNetworkIds(
    tx,
    unplaced.map(({ tenantId, item }) => ({ tenantId, networkMessageId: item.networkMessageId })),
  );
  const byNetworkId = unplaced.flatMap((one): PlacedStatus[] => {
    const messageId = known.get(`${one.tenantId}/${one.item.networkMessageId}`);
    return messageId === undefined ? [] : [{ tenantId: one.tenantId, messageId, attempt: null, item: one.item }];
  });
  const parked = unplaced.filter((one) => !known.has(`${one.tenantId}/${one.item.networkMessageId}`));
  await parkStatuses(tx, parked.map(toParked), nowMs);
  const withEcho = placed.flatMap((one) => one ?? []);
  const applied = await apply(tx, [...withEcho, ...byNetworkId], nowMs);
  for (const [index, one] of statuses.entries()) {
    const place = placed[index];
    if (place && !applied.has(place.messageId)) {
      leftovers.push(leftover(one, 'unknown_message', 'Its echo names a message that is not there.', toJson(one.item)));
    }
  }
  return { applied: withEcho.length + byNetworkId.length, parked: parked.length };
}

/** The message a status is about, by its authenticated echo; null when the echo is missing, forged or foreign. */
function placeByEcho(secret: EchoSecret, statuses: SortedItems['statuses']): readonly (PlacedStatus | null)[] {
  return statuses.map(({ tenantId, item }) => {
    const echo =
      item.echo === null ? null : readEcho(secret, item.echo, { tenantId, phoneNumberId: item.phoneNumberId });
    return echo === null ? null : { tenantId, messageId: echo.messageId as MessageId, attempt: echo.attempt, item };
  });
}

async function apply(tx: SqlRunner, placed: readonly PlacedStatus[], nowMs: number): Promise<ReadonlySet<string>> {
  if (placed.length === 0) return new Set();
  const trace: TraceEntry = {
    atMs: nowMs,
    event: 'reconciled',
    detail: 'A status that carries its echo came: the network has it. It is not sent again.',
  };
  return applyStatuses(tx, { rows: mergeStatuses(placed), nowMs, reconciledTrace: JSON.stringify([trace]) });
}

function toParked({ tenantId, item }: { readonly tenantId: TenantId; readonly item: StatusItem }): ParkedStatus {
  return { tenantId, networkMessageId: item.networkMessageId, status: item.status, item: JSON.stringify(item) };
}

/** Applies parked statuses whose message is known by now. @returns how many */
export async function applyParked(parts: IngestParts): Promise<number> {
  const nowMs = parts.rt.clock.now();
  return parts.db.transaction(async (tx) => {
    const parked = await unparkStatuses<StatusItem>(tx);
    if (parked.length === 0) return 0;
    const known = await findByNetworkIds(
      tx,
      parked.map(({ tenantId, item }) => ({ tenantId, networkMessageId: item.networkMessageId })),
    );
    const placed = parked.flatMap(({ tenantId, item }): PlacedStatus[] => {
      const messageId = known.get(`${tenantId}/${item.networkMessageId}`);
      return messageId === undefined ? [] : [{ tenantId, messageId, attempt: null, item }];
    });
    await apply(tx, placed, nowMs);
    return placed.length;
  });
}

/** Stores inbound messages that are new, each with its contact and its one open conversation. */
async function storeInbound(
  rt: Runtime,
  tx: SqlRunner,
  inbound: SortedItems['inbound'],
  nowMs: number,
): Promise<number> {
  if (inbound.length === 0) return 0;
  const fresh = await withoutKnown(tx, inbound);
  const replies = await findByNetworkIds(
    tx,
    fresh.flatMap(({ tenantId, item }) =>
      item.replyToNetworkId === null ? [] : [{ tenantId, networkMessageId: item.replyToNetworkId }],
    ),
  );
  for (const { tenantId, item } of fresh) {
    const replyTo = replies.get(`${tenantId}/${item.replyToNetworkId}`) ?? null;
    const row = toRow(rt, { tenantId, item, replyTo, nowMs });
    const contactId = await findOrMakeContact(tx, row, rt.newId<ContactId>());
    const conversationId = await findOrOpenConversation(tx, row, { contactId, freshId: rt.newId<ConversationId>() });
    await insertInbound(tx, row, { contactId, conversationId });
  }
  return fresh.length;
}

async function withoutKnown(tx: SqlRunner, inbound: SortedItems['inbound']): Promise<SortedItems['inbound']> {
  const unique = [...new Map(inbound.map((one) => [`${one.tenantId}/${one.item.networkMessageId}`, one])).values()];
  const known = new Set<string>();
  for (const tenantId of new Set(unique.map((one) => one.tenantId))) {
    const ids = unique.filter((one) => one.tenantId === tenantId).map((one) => one.item.networkMessageId);
    for (const id of await findKnownInbound(tx, tenantId, ids)) known.add(`${tenantId}/${id}`);
  }
  return unique.filter((one) => !known.has(`${one.tenantId}/${one.item.networkMessageId}`));
}

interface ToRow {
  readonly tenantId: TenantId;
  readonly item: InboundItem;
  readonly replyTo: MessageId | null;
  readonly nowMs: number;
}

function toRow(rt: Runtime, { tenantId, item, replyTo, nowMs }: ToRow): InboundRow {
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
    replyTo,
    networkMs: item.at,
    nowMs,
  };
}
