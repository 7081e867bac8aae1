import { storeNumberChanges } from '#accounts/actions/apply-number-changes';
import type { OwnerCache } from '#accounts/actions/owner-cache';
import { storeNotice } from '#accounts/actions/store-notice';
import type { NoticeItem } from '#accounts/domain/account-notice';
import type { Located } from '#accounts/domain/located';
import type { NumberItem } from '#accounts/domain/number-item';
import type { CallbackId, PhoneNumberId, TenantId } from '#core/ids';
import { idMadeMs } from '#core/ids';
import { type JsonValue, parseSafeJson } from '#core/json';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { interpretSafeCallback } from '#inbound/domain/callback';
import type { IdentityItem } from '#inbound/domain/callback-identity';
import type {
  CallbackItem,
  CallItem,
  ChangeItem,
  EchoChangeItem,
  EchoItem,
  InboundItem,
} from '#inbound/domain/callback-items';
import type { PreferenceItem } from '#inbound/domain/callback-preferences';
import { readChanges } from '#inbound/domain/network-changes';
import { keepUnhandledItems, takeCallbacks, type UnhandledItem } from '#inbound/store/callbacks';
import type { StatusNotes } from '#messages/actions/callback-health';
import type { PlacedStatus } from '#messages/actions/merge-statuses';
import { applyInBatches, type OwnedStatus, placeByToken, storeStatuses } from '#messages/actions/store-statuses';
import type { CorrelationSecret } from '#messages/domain/correlation-token';
import type { StatusItem } from '#messages/domain/status-item';
import type { Runtime } from '#runtime/runtime';
import { applyTemplateChanges } from '#templates/actions/apply-template-changes';
import type { TemplateItem } from '#templates/domain/template-item';
import type { NetworkListeners } from '#webhooks/actions/network-listeners';
import { inGroups } from './callback-groups.ts';
import { type ChangedCallback, findForwarded, forwardChanges, numbersIn } from './forward-changes.ts';
import { holdSenders, type Mentioned, mentionOf } from './hold-senders.ts';
import type { OwnedIdentityChange } from './join-contacts.ts';
import { type OwnedCall, storeCalls } from './store-calls.ts';
import { type OwnedEchoChange, storeEchoChanges } from './store-echo-changes.ts';
import { type OwnedEcho, storeEchoes } from './store-echoes.ts';
import { storeInbound } from './store-inbound.ts';
import { type OwnedChange, storeMessageChanges } from './store-message-changes.ts';
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
  const numbers = new Set(
    callbacks.flatMap((callback) => [...callback.items.flatMap(numberOf), ...numbersIn(callback)]),
  );
  const owners = numbers.size === 0 ? new Map<string, TenantId>() : await parts.owners.of(numbers);
  const { plain, apart } = inGroups(callbacks);
  const isForwarded = await findForwarded(parts.listeners, plain, owners);
  const forwarded = plain.filter(isForwarded);
  const rest = forwarded.length === 0 ? plain : plain.filter((callback) => !isForwarded(callback));
  let counts = sumOf(await applyAll(parts, rest, owners), await applyEverything(parts, forwarded, owners));
  for (const group of apart) counts = sumOf(counts, await applyEverything(parts, group, owners));
  noteStatusNumbers(parts.statusNotes, callbacks, owners);
  return counts;
}

const NOTHING: IngestCounts = { status: 0, inbound: 0, echo: 0, change: 0, template: 0, parked: 0, leftover: 0 };

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
    template: one.template + other.template,
    parked: one.parked + other.parked,
    leftover: one.leftover + other.leftover,
  };
}

async function applyEverything(
  parts: IngestDeps,
  callbacks: readonly ParsedCallback[],
  owners: ReadonlyMap<string, TenantId>,
): Promise<IngestCounts> {
  if (callbacks.length === 0) return NOTHING;
  const nowMs = parts.rt.clock.now();
  let hearing: ReadonlySet<TenantId> = new Set();
  const counts = await withEvents(parts.rt, parts.db, async (tx, events) => {
    const ids = await takeCallbacks(tx, callbacks.map(idOf));
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
      const isOurs = await storeNotice(tx, events, { item: one.item, nowMs });
      if (!isOurs) unhandled.push(unhandledItem(one, 'unknown_account', 'Nobody has such an account.', one.item.raw));
    }
    await keepUnhandledItems(tx, unhandled, nowMs);
    hearing = await forwardChanges({ rt, tx, correlationSecret, owners }, taken);
    const template = batch.templates.length - strange.length;
    const change = changes.applied + calls.changed;
    const counts = { status: applied, inbound: inbound + calls.stored, echo, change, template };
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

/** Whether the tenant of an item is found by the sending number that it names. */
export function isOfNumber(item: CallbackItem): item is ItemOfNumber {
  return NUMBER_KINDS.has(item.kind);
}

type ItemOfNumber =
  | StatusItem
  | InboundItem
  | EchoItem
  | EchoChangeItem
  | ChangeItem
  | CallItem
  | PreferenceItem
  | IdentityItem;
const NUMBER_KINDS: ReadonlySet<CallbackItem['kind']> = new Set([
  'status',
  'inbound',
  'echo',
  'echo_change',
  'change',
  'call',
  'preference',
  'identity',
]);

/** A change of names that is reported apart from messages. */
type LocatedIdentityChange = OwnedIdentityChange & { readonly located: Located<IdentityItem> };

interface SortedItems {
  readonly statuses: readonly OwnedStatus[];
  readonly inbound: readonly (Located<InboundItem> & { readonly tenantId: TenantId })[];
  readonly echoes: readonly OwnedEcho[];
  readonly echoChanges: readonly OwnedEchoChange[];
  readonly changes: readonly OwnedChange[];
  readonly calls: readonly OwnedCall[];
  readonly preferences: readonly OwnedPreference[];
  readonly identities: readonly LocatedIdentityChange[];
  readonly numbers: readonly Located<NumberItem>[];
  readonly notices: readonly Located<NoticeItem>[];
  readonly templates: readonly Located<TemplateItem>[];
  readonly unhandled: readonly UnhandledItem[];
}

/** Finds the tenant of each item by its number; an item without one, or of an unknown kind, is unhandled. */
function sortItems(callbacks: readonly ParsedCallback[], owners: ReadonlyMap<string, TenantId>): SortedItems {
  const statuses: OwnedStatus[] = [];
  const inbound: (Located<InboundItem> & { tenantId: TenantId })[] = [];
  const echoes: OwnedEcho[] = [];
  const echoChanges: OwnedEchoChange[] = [];
  const changes: OwnedChange[] = [];
  const calls: OwnedCall[] = [];
  const preferences: OwnedPreference[] = [];
  const identities: LocatedIdentityChange[] = [];
  const numbers: Located<NumberItem>[] = [];
  const notices: Located<NoticeItem>[] = [];
  const templates: Located<TemplateItem>[] = [];
  const unhandled: UnhandledItem[] = [];
  const located = callbacks.flatMap(({ callbackId, items }) =>
    items.map((item, index) => ({ callbackId, index, item })),
  );
  for (const one of located) {
    const { item } = one;
    const tenantId = isOfNumber(item) ? owners.get(item.phoneNumberId) : undefined;
    if (item.kind === 'other') unhandled.push(unhandledItem(one, item.name, 'Nothing reads this kind yet.', item.raw));
    else if (item.kind === 'number') numbers.push({ ...one, item });
    else if (item.kind === 'notice') notices.push({ ...one, item });
    else if (item.kind === 'template') templates.push({ ...one, item });
    else if (item.kind === 'ignored') unhandled.push(unhandledItem(one, 'malformed', item.reason, item.raw));
    else if (tenantId === undefined) {
      unhandled.push(
        unhandledItem(one, 'unknown_number', `Nobody has the number ${item.phoneNumberId}.`, toJson(item)),
      );
    } else if (item.kind === 'status') statuses.push({ ...one, item, tenantId });
    else if (item.kind === 'echo') echoes.push({ tenantId, item });
    else if (item.kind === 'echo_change') echoChanges.push({ tenantId, item });
    else if (item.kind === 'change') changes.push({ tenantId, item });
    else if (item.kind === 'call') calls.push({ tenantId, item });
    else if (item.kind === 'preference') preferences.push({ tenantId, item, messageId: null });
    else if (item.kind === 'identity') identities.push({ ...item, tenantId, located: { ...one, item } });
    else inbound.push({ ...one, item, tenantId });
  }
  return {
    statuses,
    inbound,
    echoes,
    echoChanges,
    changes,
    calls,
    preferences,
    identities,
    numbers,
    notices,
    templates,
    unhandled,
  };
}

/** Everybody of whom something is said, but for the recipients of statuses. */
function mentionsOf({
  inbound,
  echoes,
  echoChanges,
  calls,
  preferences,
  identities,
}: SortedItems): readonly Mentioned[] {
  return [
    ...[...preferences, ...calls].map(({ tenantId, item }) =>
      mentionOf(tenantId, { phone: item.from, userId: item.userId }, undefined),
    ),
    ...inbound.map(({ tenantId, item }) =>
      mentionOf(tenantId, { phone: item.from, userId: item.userId }, item.identityChange),
    ),
    ...echoChanges.map(({ tenantId, item }) =>
      mentionOf(tenantId, { phone: item.from, userId: item.userId }, undefined),
    ),
    ...echoes.map(({ tenantId, item }) => mentionOf(tenantId, { phone: item.to, userId: item.userId }, undefined)),
    ...identities.map((change) => mentionOf(change.tenantId, change.current, change)),
  ];
}

/** Somebody who never wrote is no contact; the change counts once the person is known and the callback is replayed. */
function unknownPerson({ located }: LocatedIdentityChange): UnhandledItem {
  return unhandledItem(located, 'unknown_person', 'Nobody is known by these user IDs.', toJson(located.item));
}

/** Created at the network and never read from it: a sync imports it, with the reported state. */
function unknownTemplate(located: Located<TemplateItem>): UnhandledItem {
  const { name, language, raw } = located.item;
  return unhandledItem(located, 'unknown_template', `Nobody has the template ${name} (${language}).`, raw);
}

function unhandledItem(
  { callbackId, index }: Located<unknown>,
  name: string,
  reason: string,
  raw: JsonValue,
): UnhandledItem {
  return { callbackId, item: index, name, reason, raw };
}

function toJson(item: ItemOfNumber): JsonValue {
  return JSON.parse(JSON.stringify(item)) as JsonValue;
}
