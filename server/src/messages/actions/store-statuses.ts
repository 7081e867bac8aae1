import type { Located } from '#accounts/domain/located';
import type { CallbackId, MessageId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { type EventSink, emitChanges, withEvents } from '#events/actions/with-events';
import { type CorrelationSecret, readCorrelationToken } from '#messages/domain/correlation-token';
import type { TraceEntry } from '#messages/domain/message';
import type { StatusItem } from '#messages/domain/status-item';
import { takeParkedStatuses } from '#messages/store/echoes';
import {
  applyStatuses,
  findByNetworkNames,
  isAnyParked,
  type NetworkName,
  nameKey,
  type ParkedStatus,
  parkStatuses,
  takeStatuses,
  UNPARK_WITHIN_MS,
  unparkStatuses,
} from '#messages/store/status-batch';
import type { StatusRow } from '#messages/store/status-rows';
import type { Runtime } from '#runtime/runtime';
import { mergeStatuses, type PlacedStatus } from './merge-statuses.ts';
import { traceStatuses } from './trace-statuses.ts';

/** A status whose tenant is known. */
export interface OwnedStatus extends Located<StatusItem> {
  readonly tenantId: TenantId;
}

export interface StoredStatuses {
  readonly applied: number;
  readonly parked: number;
  /** Statuses of messages that are not there, with the reason. */
  readonly strangers: readonly { readonly located: OwnedStatus; readonly reason: string }[];
}

interface StatusBatch {
  readonly rt: Runtime;
  readonly correlationSecret: CorrelationSecret;
  readonly statuses: readonly OwnedStatus[];
  readonly nowMs: number;
}

/**
 * Applies statuses to their messages. A message is found by our correlation token, authenticated; otherwise by the
 * network's id and the recipient; a status whose message cannot be found yet is parked.
 */
export async function storeStatuses(
  tx: Transaction,
  events: EventSink,
  { rt, correlationSecret, statuses, nowMs }: StatusBatch,
): Promise<StoredStatuses> {
  if (statuses.length === 0) return { applied: 0, parked: 0, strangers: [] };
  const placed: PlacedStatus[] = [];
  const located = new Map<PlacedStatus, OwnedStatus>();
  const unplaced: OwnedStatus[] = [];
  for (const status of statuses) {
    const place = placeByToken(correlationSecret, status);
    if (place === null) unplaced.push(status);
    else {
      placed.push(place);
      located.set(place, status);
    }
  }
  const named = await placeByName(tx, unplaced);
  const parkable = named.missing.filter(({ item }) => recipientsOf(item).length > 0);
  await parkStatuses(tx, parkable.map(toParked), nowMs);
  const missing = await applyPlaced(tx, events, { rt, placed: [...placed, ...named.placed], nowMs });
  const strangers = placed
    .filter((place) => missing.has(place.messageId))
    .flatMap((place) => located.get(place) ?? [])
    .map((status) => ({ located: status, reason: 'Its echo names a message that is not there.' }));
  const nameless = named.missing
    .filter(({ item }) => recipientsOf(item).length === 0)
    .map((status) => ({ located: status, reason: 'It carries neither our echo nor a recipient to look for.' }));
  const applied = placed.length - strangers.length + named.placed.length;
  return { applied, parked: parkable.length, strangers: [...strangers, ...nameless] };
}

/** The message a status is about, by its authenticated token; null when the token is missing, forged or foreign. */
export function placeByToken(
  secret: CorrelationSecret,
  { tenantId, item }: Pick<OwnedStatus, 'tenantId' | 'item'>,
): PlacedStatus | null {
  if (item.echo === null) return null;
  const token = readCorrelationToken(secret, item.echo, { tenantId, phoneNumberId: item.phoneNumberId });
  return token && { tenantId, messageId: token.messageId as MessageId, attempt: token.attempt, item };
}

async function placeByName(
  tx: Transaction,
  statuses: readonly OwnedStatus[],
): Promise<{ readonly placed: readonly PlacedStatus[]; readonly missing: readonly OwnedStatus[] }> {
  const known = await findByNetworkNames(tx, statuses.map(toName));
  const idOf = (status: OwnedStatus) => known.get(nameKey(toName(status)));
  const placed = statuses.flatMap((status): PlacedStatus[] => {
    const messageId = idOf(status);
    return messageId === undefined ? [] : [{ tenantId: status.tenantId, messageId, attempt: null, item: status.item }];
  });
  return { placed, missing: statuses.filter((status) => idOf(status) === undefined) };
}

function toName({ tenantId, item }: Pick<OwnedStatus, 'tenantId' | 'item'>): NetworkName {
  return { tenantId, recipients: recipientsOf(item), networkMessageId: item.networkMessageId };
}

/** Whom the network says that a message went to: a number, a user id, or both. */
function recipientsOf({ recipient, recipientUserId }: StatusItem): readonly string[] {
  return [recipient, recipientUserId].filter((one) => one !== null);
}

function toParked({ tenantId, item }: OwnedStatus): ParkedStatus {
  const { networkMessageId, status } = item;
  const [recipient = ''] = recipientsOf(item);
  return { tenantId, networkMessageId, status, recipient, item: JSON.stringify(item) };
}

export interface ApplyPlaced {
  readonly rt: Runtime;
  readonly placed: readonly PlacedStatus[];
  readonly nowMs: number;
}

/** @returns ids of the messages that are not there */
async function applyPlaced(
  tx: Transaction,
  events: EventSink,
  { rt, placed, nowMs }: ApplyPlaced,
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const rows of mergeStatuses(placed)) {
    const applied = await applyStatuses(tx, { rows, nowMs, reconciledTrace: traceAt(nowMs), batchId: rt.newId() });
    for (const id of applied.missing) missing.add(id);
    countFailures(rt, rows);
    emitChanges(events, applied.news);
  }
  await traceStatuses(rt, tx, placed, nowMs);
  return missing;
}

export interface ApplyInBatches extends ApplyPlaced {
  /** Callbacks that leave the queue with the last of these statuses. */
  readonly doneCallbacks: readonly CallbackId[];
}

/**
 * Applies statuses and records their events, a transaction per statement: killed in between, the callbacks are still
 * queued and are applied again without effect.
 * @returns whether all their messages exist
 */
export async function applyInBatches(
  db: Database,
  { rt, placed, nowMs, doneCallbacks }: ApplyInBatches,
): Promise<boolean> {
  const batches = mergeStatuses(placed);
  for (const [index, rows] of batches.entries()) {
    const done = index === batches.length - 1 ? doneCallbacks : [];
    const batch = { rows, nowMs, reconciledTrace: traceAt(nowMs), batchId: rt.newId(), doneCallbacks: done };
    const { missing, told } = await takeStatuses(db, batch);
    rt.eventSignal.notify(told);
    countFailures(rt, rows);
    if (missing.size > 0) return false;
  }
  // They are applied: what a trace lacks is no reason to do it again.
  await traceStatuses(rt, db, placed, nowMs).catch(() => undefined);
  return true;
}

function countFailures({ metrics }: Runtime, rows: readonly StatusRow[]): void {
  for (const { error } of rows) if (error !== null) metrics.failures.inc({ by: 'report', code: error.code });
}

function traceAt(nowMs: number): string {
  const trace: TraceEntry = {
    atMs: nowMs,
    event: 'reconciled',
    detail: 'A status with its echo arrived: the network has it. It is not sent again.',
  };
  return JSON.stringify([trace]);
}

/** A message that is stored here for the first time, although the network has it. */
export interface EchoedMessage {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly networkMessageId: string;
}

/** Applies the statuses that came before these messages. */
export async function storeEarlierStatuses(
  tx: Transaction,
  events: EventSink,
  {
    rt,
    messages,
    nowMs,
  }: { readonly rt: Runtime; readonly messages: readonly EchoedMessage[]; readonly nowMs: number },
): Promise<void> {
  const ids = new Map(messages.map((message) => [nameKey(message), message.messageId]));
  const parked = await takeParkedStatuses<StatusItem>(tx, messages);
  const placed = parked.flatMap(({ tenantId, networkMessageId, item }): PlacedStatus[] => {
    const messageId = ids.get(nameKey({ tenantId, networkMessageId }));
    return messageId === undefined ? [] : [{ tenantId, messageId, attempt: null, item }];
  });
  await applyPlaced(tx, events, { rt, placed, nowMs });
}

/** Applies parked statuses whose message is known by now. @returns how many */
export async function storeParked(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  const sinceMs = nowMs - UNPARK_WITHIN_MS;
  if (!(await isAnyParked(db, sinceMs))) return 0;
  return withEvents(rt, db, async (tx, events) => {
    const parked = await unparkStatuses<StatusItem>(tx, sinceMs);
    if (parked.length === 0) return 0;
    const known = await findByNetworkNames(tx, parked.map(toName));
    const placed = parked.flatMap(({ tenantId, item }): PlacedStatus[] => {
      const messageId = known.get(nameKey(toName({ tenantId, item })));
      return messageId === undefined ? [] : [{ tenantId, messageId, attempt: null, item }];
    });
    await applyPlaced(tx, events, { rt, placed, nowMs });
    return placed.length;
  });
}
