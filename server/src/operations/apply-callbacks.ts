import { type CallbackItem, type InboundItem, interpretCallback, type StatusItem } from '#core/callback';
import type { EchoSecret } from '#core/echo';
import type { CallbackId, TenantId } from '#core/ids';
import type { JsonValue } from '#core/json';
import type { Runtime } from '#runtime/runtime';
import { keepLeftovers, type Leftover, takeCallbacks } from '#storage/callbacks';
import type { Database, SqlRunner } from '#storage/database';
import { findNumberOwners } from '#storage/phone-numbers';
import { storeInbound } from './store-inbound.ts';
import { type OwnedStatus, storeParked, storeStatuses } from './store-statuses.ts';

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

/** An item with its place in the callback. */
export interface Located<Item> {
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
    const { applied, parked, strangers } = await storeStatuses(tx, {
      echoSecret: parts.echoSecret,
      statuses: batch.statuses,
      nowMs,
    });
    for (const { located: one, reason } of strangers)
      leftovers.push(leftover(one, 'unknown_message', reason, toJson(one.item)));
    const inbound = await storeInbound(parts.rt, tx, batch.inbound, nowMs);
    await keepLeftovers(tx, leftovers, nowMs);
    return { status: applied, inbound, parked, leftover: leftovers.length };
  });
}

interface SortedItems {
  readonly statuses: readonly OwnedStatus[];
  readonly inbound: readonly (Located<InboundItem> & { readonly tenantId: TenantId })[];
  readonly leftovers: readonly Leftover[];
}

/** Finds the tenant of each item by its number; what has none, or is of an unknown kind, is left over. */
async function sortItems(tx: SqlRunner, located: readonly Located<CallbackItem>[]): Promise<SortedItems> {
  const numbers = new Set(
    located.flatMap(({ item }) => (item.kind === 'status' || item.kind === 'inbound' ? [item.phoneNumberId] : [])),
  );
  const owners = numbers.size === 0 ? new Map<string, TenantId>() : await findNumberOwners(tx, [...numbers]);
  const statuses: OwnedStatus[] = [];
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

/** Applies parked statuses whose message is known by now. @returns how many */
export async function applyParked(parts: IngestParts): Promise<number> {
  const nowMs = parts.rt.clock.now();
  return parts.db.transaction((tx) => storeParked(tx, nowMs));
}
