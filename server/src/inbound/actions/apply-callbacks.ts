import { storeNumberChanges } from '#accounts/actions/apply-number-changes';
import type { OwnerCache } from '#accounts/actions/owner-cache';
import { storeNotice, storeUnread } from '#accounts/actions/store-notice';
import type { ContactWork } from '#contacts/actions/save-contacts';
import type { CallbackId, PhoneNumberId, TenantId } from '#core/ids';
import { idMadeMs } from '#core/ids';
import { parseSafeJson } from '#core/json';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { interpretSafeCallback } from '#inbound/domain/callback';
import type { CallbackItem } from '#inbound/domain/callback-items';
import { readChanges } from '#inbound/domain/network-changes';
import { keepUnhandledItems, requireUnfenced, takeCallbacks } from '#inbound/store/callbacks';
import type { StatusNotes } from '#messages/actions/callback-health';
import type { PlacedStatus } from '#messages/actions/merge-statuses';
import { applyInBatches, type OwnedStatus, placeByToken, storeStatuses } from '#messages/actions/store-statuses';
import type { CorrelationSecret } from '#messages/domain/correlation-token';
import type { Runtime } from '#runtime/runtime';
import { applyTemplateChanges } from '#templates/actions/apply-template-changes';
import type { NetworkListeners } from '#webhooks/actions/network-listeners';
import { aheadOf, inGroups } from './callback-groups.ts';
import { type ChangedCallback, findForwarded, forwardChanges, numbersIn } from './forward-changes.ts';
import { holdSenders } from './hold-senders.ts';
import {
  isOfNumber,
  mentionsOf,
  type SortedItems,
  sortItems,
  toJson,
  unhandledItem,
  unknownPerson,
  unknownTemplate,
} from './sort-items.ts';
import { storeBook } from './store-book.ts';
import { storeCalls } from './store-calls.ts';
import { storeEchoChanges } from './store-echo-changes.ts';
import { storeEchoes } from './store-echoes.ts';
import { storeInbound } from './store-inbound.ts';
import { storeMessageChanges } from './store-message-changes.ts';
import { storePastMessages } from './store-past.ts';
import { type OwnedPreference, preferenceOf, saysStopped, storePreferences } from './store-preferences.ts';

/** A callback with its items, ready to be applied, and with its changes as they came. */
export interface ParsedCallback extends ChangedCallback {
  readonly items: readonly CallbackItem[];
}

export interface IngestDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly correlationSecret: CorrelationSecret;
  readonly owners: OwnerCache;
  readonly listeners: NetworkListeners;
  readonly statusNotes: StatusNotes;
}

/** How many items became what. */
export interface IngestCounts {
  readonly status: number;
  readonly inbound: number;
  readonly echo: number;
  readonly change: number;
  /** Of what was before the API: names in the phone's book, and new messages. */
  readonly past: number;
  readonly template: number;
  readonly parked: number;
  readonly leftover: number;
}

/** Reads the raw body of a callback; never throws, since it is stored and answered already. */
export function parseCallback(callbackId: CallbackId, body: string): ParsedCallback {
  try {
    const parsed = parseSafeJson(body);
    return { callbackId, items: interpretSafeCallback(parsed), changes: readChanges(parsed) };
  } catch {
    const raw = body.slice(0, 2_000);
    return { callbackId, items: [{ kind: 'ignored', reason: 'The body is not JSON.', raw }], changes: [] };
  }
}

/**
 * Stores everything that a batch of callbacks says and takes them out of the queue: killed before the commit nothing
 * happened, after it everything. Idempotent: what was stored before changes nothing.
 */
export async function applyCallbacks(parts: IngestDeps, callbacks: readonly ParsedCallback[]): Promise<IngestCounts> {
  const numbers = numbersOf(callbacks);
  const owners = numbers.size === 0 ? new Map<string, TenantId>() : await parts.owners.of(numbers);
  const { plain, apart, past } = inGroups(callbacks);
  const isForwarded = await findForwarded(parts.listeners, plain, owners);
  const forwarded = plain.filter(isForwarded);
  const rest = forwarded.length === 0 ? plain : plain.filter((callback) => !isForwarded(callback));
  let counts = sumOf(await applyAll(parts, rest, owners), await applyEverything(parts, forwarded, owners));
  for (const group of apart) counts = sumOf(counts, await applyEverything(parts, group, owners));
  for (const callback of past) counts = sumOf(counts, await applyPast(parts, callback, owners));
  noteStatusNumbers(parts.statusNotes, callbacks, owners);
  return counts;
}

const NOTHING: IngestCounts = {
  status: 0,
  inbound: 0,
  echo: 0,
  change: 0,
  past: 0,
  template: 0,
  parked: 0,
  leftover: 0,
};

async function applyAll(
  parts: IngestDeps,
  callbacks: readonly ParsedCallback[],
  owners: ReadonlyMap<string, TenantId>,
): Promise<IngestCounts> {
  if (callbacks.length === 0) return NOTHING;
  return (await applyStatusesOnly(parts, callbacks, owners)) ?? (await applyEverything(parts, callbacks, owners));
}

function sumOf(one: IngestCounts, other: IngestCounts): IngestCounts {
  return {
    status: one.status + other.status,
    inbound: one.inbound + other.inbound,
    echo: one.echo + other.echo,
    change: one.change + other.change,
    past: one.past + other.past,
    template: one.template + other.template,
    parked: one.parked + other.parked,
    leftover: one.leftover + other.leftover,
  };
}

/**
 * Stores what was before the API in short transactions, so that nobody waits long for one: the last of them takes the callback out of the
 * queue. Killed between two of them, it is applied again, without effect on what is stored.
 */
async function applyPast(
  parts: IngestDeps,
  callback: ParsedCallback,
  owners: ReadonlyMap<string, TenantId>,
): Promise<IngestCounts> {
  const { ahead, rest } = aheadOf(callback);
  let past = 0;
  for (const items of ahead) {
    past += await withEvents(parts.rt, parts.db, async (tx, events) => {
      const batch = sortItems([{ ...callback, items }], owners);
      await holdSenders(tx, mentionsOf(batch));
      return storePast({ rt: parts.rt, tx, events, nowMs: parts.rt.clock.now() }, batch);
    });
  }
  return sumOf({ ...NOTHING, past }, await applyEverything(parts, [rest], owners));
}

async function storePast(work: ContactWork, { book, past }: SortedItems): Promise<number> {
  const named = await storeBook(work, book);
  return named + (await storePastMessages(work, past));
}

async function applyEverything(
  parts: IngestDeps,
  callbacks: readonly ParsedCallback[],
  owners: ReadonlyMap<string, TenantId>,
): Promise<IngestCounts> {
  if (callbacks.length === 0) return NOTHING;
  const nowMs = parts.rt.clock.now();
  const about = tenantsOf(callbacks, owners);
  let hearing: ReadonlySet<TenantId> = new Set();
  const counts = await withEvents(parts.rt, parts.db, async (tx, events) => {
    const ids = await takeCallbacks(tx, callbacks.map(idOf), about);
    const taken = callbacks.filter(({ callbackId }) => ids.has(callbackId));
    const batch = sortItems(taken, owners);
    const { rt, correlationSecret } = parts;
    await holdSenders(tx, mentionsOf(batch));
    const { applied, parked, strangers } = await storeStatuses(tx, events, {
      rt,
      correlationSecret,
      statuses: batch.statuses,
      nowMs,
    });
    const preferences = [...batch.preferences, ...stopsOf(correlationSecret, batch.statuses)];
    await storePreferences({ rt, tx, events, nowMs }, preferences);
    const { inbound: messages, identities } = batch;
    const { stored: inbound, strangers: nobody } = await storeInbound(rt, tx, {
      inbound: messages,
      identities,
      events,
      nowMs,
    });
    const past = await storePast({ rt, tx, events, nowMs }, batch);
    const echo = await storeEchoes({ rt, tx, events, nowMs }, batch.echoes);
    const own = await storeMessageChanges({ tx, events, nowMs }, batch.changes);
    const changes = sumOfChanges(own, await storeEchoChanges({ tx, events, nowMs }, batch.echoChanges));
    const calls = await storeCalls({ rt, tx, events, nowMs }, batch.calls);
    const unknown = strangers.map(({ located, reason }) =>
      unhandledItem(located, 'unknown_message', reason, toJson(located.item)),
    );
    const strange = await applyTemplateChanges(rt, tx, { items: batch.templates, events, nowMs });
    const unhandled = [...batch.unhandled, ...unknown, ...strange.map(unknownTemplate), ...nobody.map(unknownPerson)];
    for (const one of batch.numbers) {
      const isOurs = await storeNumberChanges(tx, events, { item: one.item, nowMs });
      if (!isOurs) unhandled.push(unhandledItem(one, 'unknown_number', 'Nobody has such a number.', one.item.raw));
    }
    for (const one of batch.notices) {
      const isOurs = await storeNotice({ tx, events, nowMs }, one.item);
      if (!isOurs) unhandled.push(unhandledItem(one, 'unknown_account', 'Nobody has such an account.', one.item.raw));
    }
    await storeUnread({ tx, events, nowMs }, batch.unread);
    if (unhandled.length > 0) await requireUnfenced(tx, about);
    await keepUnhandledItems(tx, unhandled, nowMs);
    hearing = await forwardChanges({ rt, tx, correlationSecret, owners }, taken);
    const template = batch.templates.length - strange.length;
    const change = changes.applied + calls.changed;
    const counts = { status: applied, inbound: inbound + calls.stored, echo, change, past, template };
    return { ...counts, parked: parked + changes.parked, leftover: unhandled.length };
  });
  // Their events may be of no type that anything else waits for.
  if (hearing.size > 0) parts.rt.eventSignal.notify(hearing);
  return counts;
}

interface ChangeCounts {
  readonly applied: number;
  readonly parked: number;
}

function sumOfChanges(one: ChangeCounts, other: ChangeCounts): ChangeCounts {
  return { applied: one.applied + other.applied, parked: one.parked + other.parked };
}

/** What reports of refused marketing say of their recipients. */
function stopsOf(secret: CorrelationSecret, statuses: readonly OwnedStatus[]): readonly OwnedPreference[] {
  return statuses.filter(saysStopped).flatMap((status) => {
    const messageId = placeByToken(secret, status)?.messageId ?? null;
    return preferenceOf(status, messageId) ?? [];
  });
}

/**
 * The hot path: callbacks that carry nothing but statuses with our correlation token are one statement, which records
 * their events as well.
 * @returns null when there is anything else among them, a recipient has stopped marketing, or a message is missing: the full path is taken then, and what
 * was applied here is applied again without effect
 */
async function applyStatusesOnly(
  parts: IngestDeps,
  callbacks: readonly ParsedCallback[],
  owners: ReadonlyMap<string, TenantId>,
): Promise<IngestCounts | null> {
  const placed: PlacedStatus[] = [];
  for (const item of callbacks.flatMap(({ items }) => items)) {
    const tenantId = item.kind === 'status' ? owners.get(item.phoneNumberId) : undefined;
    if (item.kind === 'status' && saysStopped({ item })) return null;
    const place = item.kind === 'status' && tenantId ? placeByToken(parts.correlationSecret, { tenantId, item }) : null;
    if (place === null) return null;
    placed.push(place);
  }
  if (placed.length === 0) return null;
  const all = await applyInBatches(parts.db, {
    rt: parts.rt,
    placed,
    nowMs: parts.rt.clock.now(),
    doneCallbacks: callbacks.map(idOf),
  });
  if (!all) return null;
  return { ...NOTHING, status: placed.length };
}

/** Statuses of these numbers come in: the absence of one may then be taken as proof. */
function noteStatusNumbers(
  notes: StatusNotes,
  callbacks: readonly ParsedCallback[],
  owners: ReadonlyMap<string, TenantId>,
): void {
  for (const { callbackId, items } of callbacks) {
    for (const item of items) {
      const tenantId = item.kind === 'status' ? owners.get(item.phoneNumberId) : undefined;
      if (item.kind === 'status' && tenantId !== undefined)
        notes.add(tenantId, item.phoneNumberId as PhoneNumberId, idMadeMs(callbackId));
    }
  }
}

function idOf({ callbackId }: ParsedCallback): CallbackId {
  return callbackId;
}

function numberOf(item: CallbackItem): readonly string[] {
  return isOfNumber(item) ? [item.phoneNumberId] : [];
}

function numbersOf(callbacks: readonly ParsedCallback[]): ReadonlySet<string> {
  return new Set(callbacks.flatMap((callback) => [...callback.items.flatMap(numberOf), ...numbersIn(callback)]));
}

function tenantsOf(callbacks: readonly ParsedCallback[], owners: ReadonlyMap<string, TenantId>): ReadonlySet<TenantId> {
  return new Set([...numbersOf(callbacks)].flatMap((number) => owners.get(number) ?? []));
}
