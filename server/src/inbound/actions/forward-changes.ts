/** Endpoints of tenants that want the network's own form get the changes of callbacks that are about what these tenants have. */

import { v5 } from 'uuid';
import { findNoticePlaces } from '#accounts/store/account-notices';
import { type CallbackId, idMadeMs, type MessageId, type TenantId } from '#core/ids';
import { labelOf } from '#core/json-fields';
import type { Transaction } from '#database/database';
import {
  type KnownMessage,
  type NamedInChange,
  type NetworkChange,
  namedIn,
  withOwnIds,
} from '#inbound/domain/network-changes';
import { type CorrelationSecret, readCorrelationToken } from '#messages/domain/correlation-token';
import { readClientReferences } from '#messages/store/client-references';
import { findByNetworkNames, nameKey } from '#messages/store/status-batch';
import type { Runtime } from '#runtime/runtime';
import { enqueueCallbacks, type NetworkPost } from '#webhooks/actions/enqueue-callbacks';
import type { NetworkListeners } from '#webhooks/actions/network-listeners';
import { networkBody } from '#webhooks/domain/network-callback';
import { holdNetworkEndpoints, tenantsHearingNetwork } from '#webhooks/store/webhook-endpoints';

/** A callback with its changes. */
export interface ChangedCallback {
  readonly callbackId: CallbackId;
  readonly changes: readonly NetworkChange[];
}

type Owners = ReadonlyMap<string, TenantId>;

/** Whose numbers changes are about. */
export function numbersIn({ changes }: Pick<ChangedCallback, 'changes'>): readonly string[] {
  return changes.flatMap(({ subject }) => (subject?.kind === 'number' ? [subject.phoneNumberId] : []));
}

/** Tells which callbacks may have to be forwarded: of numbers of tenants who want them. What is about an account is looked at when it is applied. */
export async function findForwarded(
  listeners: NetworkListeners,
  callbacks: readonly ChangedCallback[],
  owners: Owners,
): Promise<(callback: Pick<ChangedCallback, 'changes'>) => boolean> {
  const ownersOf = (callback: Pick<ChangedCallback, 'changes'>) =>
    numbersIn(callback).flatMap((id) => owners.get(id) ?? []);
  const hearing = await listeners.among(new Set(callbacks.flatMap(ownersOf)));
  return (callback) => ownersOf(callback).some((tenantId) => hearing.has(tenantId));
}

export interface ForwardWork {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly correlationSecret: CorrelationSecret;
  readonly owners: Owners;
}

/** A change, and the callback that it came in. */
interface Located {
  readonly callbackId: CallbackId;
  readonly change: NetworkChange;
}

/**
 * Enqueues the changes for the endpoints of their tenants. Each body holds one change, so that nothing of another tenant can be in it, and a change is
 * enqueued once for each endpoint, however often its callback is applied.
 * @returns the tenants for whom something is due
 */
export async function forwardChanges(
  work: ForwardWork,
  callbacks: readonly ChangedCallback[],
): Promise<ReadonlySet<TenantId>> {
  const changes = callbacks.flatMap(({ callbackId, changes }) => changes.map((change) => ({ callbackId, change })));
  const places = await placeChanges(work, changes);
  const hearing = await tenantsHearingNetwork(work.tx, [...places.keys()]);
  for (const tenantId of [...hearing].toSorted()) await forwardTo(work, tenantId, places.get(tenantId) ?? []);
  return hearing;
}

/** Finds the tenants that each change is about. */
async function placeChanges(
  { tx, owners }: ForwardWork,
  changes: readonly Located[],
): Promise<ReadonlyMap<TenantId, readonly Located[]>> {
  const places = new Map<TenantId, Located[]>();
  for (const located of changes) {
    for (const tenantId of await tenantsOf(tx, owners, located.change)) {
      places.set(tenantId, [...(places.get(tenantId) ?? []), located]);
    }
  }
  return places;
}

async function tenantsOf(tx: Transaction, owners: Owners, { subject }: NetworkChange): Promise<readonly TenantId[]> {
  if (subject === null) return [];
  if (subject.kind === 'number')
    return [owners.get(subject.phoneNumberId)].filter((tenantId) => tenantId !== undefined);
  const tenants = [...new Set((await findNoticePlaces(tx, subject)).map(({ tenantId }) => tenantId))];
  // What is not known to be about the account itself may be about somebody's customers.
  return subject.isShared || tenants.length === 1 ? tenants : [];
}

async function forwardTo(work: ForwardWork, tenantId: TenantId, changes: readonly Located[]): Promise<void> {
  const endpoints = await holdNetworkEndpoints(work.tx, tenantId);
  if (endpoints.length === 0) return;
  const known = await knownMessages(
    work,
    tenantId,
    changes.flatMap(({ change }) => namedIn(change)),
  );
  const posts = changes.map(({ callbackId, change }) => ({
    madeMs: idMadeMs(callbackId),
    ...toPost(callbackId, change, known),
  }));
  for (const endpoint of endpoints) {
    // Callbacks that are processed again may be older than the endpoint.
    const wanted = posts.filter(({ madeMs }) => madeMs >= endpoint.createdMs);
    await enqueueCallbacks(work.rt, work.tx, endpoint, wanted);
  }
}

function toPost(callbackId: CallbackId, change: NetworkChange, known: ReadonlyMap<string, KnownMessage>): NetworkPost {
  return {
    eventId: v5(String(change.index), callbackId),
    field: labelOf(change.field),
    body: networkBody(change.entry, withOwnIds(change.change, known)),
  };
}

/** The messages of ours that changes name, by the network's ids. */
async function knownMessages(
  { tx, correlationSecret }: ForwardWork,
  tenantId: TenantId,
  named: readonly NamedInChange[],
): Promise<ReadonlyMap<string, KnownMessage>> {
  const byToken = new Map(
    named.flatMap(({ networkMessageId, phoneNumberId, echo }) => {
      const token = echo === null ? null : readCorrelationToken(correlationSecret, echo, { tenantId, phoneNumberId });
      return token === null ? [] : [[networkMessageId, token.messageId as MessageId] as const];
    }),
  );
  const unnamed = named.filter(({ networkMessageId }) => !byToken.has(networkMessageId));
  const found = await findByNetworkNames(
    tx,
    unnamed.map((name) => ({ ...name, tenantId })),
  );
  const ids = new Map(
    named.flatMap(({ networkMessageId }) => {
      const id = byToken.get(networkMessageId) ?? found.get(nameKey({ tenantId, networkMessageId }));
      return id === undefined ? [] : [[networkMessageId, id] as const];
    }),
  );
  const references = await readClientReferences(tx, tenantId, [...new Set(ids.values())]);
  return new Map(
    [...ids].flatMap(([networkMessageId, messageId]) => {
      const clientRef = references.get(messageId);
      return clientRef === undefined ? [] : [[networkMessageId, { messageId, clientRef }] as const];
    }),
  );
}
