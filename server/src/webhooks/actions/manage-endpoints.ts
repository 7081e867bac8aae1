import { audit } from '#access/actions/audit';
import { type Granted, requireGranted } from '#access/actions/require-granted';
import { requireVersion } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import type { Origin } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { EndpointId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, SqlRunner, Transaction } from '#database/database';
import type { EventType } from '#events/domain/event';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { scopesOfEndpoint } from '#webhooks/domain/event-scopes';
import { type EndpointFormat, type EndpointOrdering, typesFor, type WebhookEndpoint } from '#webhooks/domain/webhook';
import { canonicalAddress, parseWebhookAllow, webhookAddressFault } from '#webhooks/domain/webhook-address';
import { giveUpDeliveries } from '#webhooks/store/webhook-deliveries';
import {
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  lockAddresses,
  lockEndpoint,
  restartLane,
  rotateEndpointSecret,
  updateEndpoint,
} from '#webhooks/store/webhook-endpoints';
import { passToWanted } from '#webhooks/store/webhook-lanes';
import { newSecret } from './webhook-secrets.ts';

const SAME_ADDRESS = 'Another webhook endpoint of this tenant has this URL. Change that one.';

const ENABLED = { disabledReason: null, disabledMs: null } as const;

/** What people choose about an endpoint; its format for good. */
export interface EndpointFields {
  readonly format: EndpointFormat;
  readonly url: string;
  readonly description: string | null;
  /** Null: all types. */
  readonly types: readonly EventType[] | null;
  readonly ordering: EndpointOrdering;
  readonly enabled: boolean;
}

/** An endpoint with the secret that is shown once. */
export interface MadeEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

export interface EndpointDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly keyring: Keyring;
}

/**
 * Adds an endpoint. It gets what happens from now on.
 * @throws ApiProblem forbidden when the key may not read what it would get, validation_failed for an address that nothing may be posted to, conflict when there are too many or one has the address,
 *   secrets_unavailable when this service cannot keep its secret
 */
export function createEndpoint(
  { rt, db, keyring }: EndpointDeps,
  request: Granted & { readonly tenantId: TenantId; readonly origin: Origin; readonly fields: EndpointFields },
): Promise<MadeEndpoint> {
  const { tenantId, origin } = request;
  requireEndpointFields(rt, request);
  const fields = { ...request.fields, ...choicesOf(request.fields.format, request.fields) };
  return db.transaction(async (tx) => {
    const others = await lockAddresses(tx, tenantId);
    const { webhookEndpoints: most } = rt.config;
    if (others.length >= most) {
      const sentence = `A tenant can have at most ${most} webhook endpoints. Delete one first.`;
      throw new ApiProblem('conflict', { sentence });
    }
    requireNewAddress(fields.url, others);
    const endpointId = rt.newId<EndpointId>();
    const { secret, sealed } = newSecret(keyring, tenantId, endpointId);
    const nowMs = rt.clock.now();
    const { enabled, ...chosen } = fields;
    const state = enabled ? ENABLED : ({ disabledReason: 'person', disabledMs: nowMs } as const);
    await insertEndpoint(tx, { ...chosen, ...state, tenantId, endpointId, secret: sealed, createdMs: nowMs });
    const details = { url: fields.url };
    await audit(rt, tx, { tenantId, origin, action: 'webhook.added', targetId: endpointId, details });
    return { endpoint: await requireEndpoint(tx, tenantId, endpointId), secret };
  });
}

/**
 * What can be said against an endpoint before it is stored, or asked anything.
 * @throws ApiProblem forbidden, validation_failed
 */
export function requireEndpointFields(
  rt: Runtime,
  request: Granted & { readonly fields: Omit<EndpointFields, 'description'> },
): void {
  const { fields } = request;
  if (fields.enabled) requireGranted(request, scopesOfEndpoint(fields));
  requireAddress(rt, fields.url);
  requireChoices(fields.format, fields);
}

/** A request that changes an endpoint. */
export interface EndpointRequest {
  readonly tenantId: TenantId;
  readonly endpointId: string;
  readonly origin: Origin;
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

/**
 * Changes what people choose; what is left out stays. Switched on again it gets what happens from then on, and so it does of
 * types that it did not want before.
 * @throws ApiProblem conflict when another endpoint has the address, forbidden when the key may not read what it then gets, not_found,
 *   precondition_failed, validation_failed
 */
export function changeEndpoint(
  rt: Runtime,
  db: Database,
  request: EndpointRequest & Granted,
  wish: Partial<Omit<EndpointFields, 'format'>>,
): Promise<WebhookEndpoint> {
  const { tenantId, origin } = request;
  if (wish.url !== undefined) requireAddress(rt, wish.url);
  return db.transaction(async (tx) => {
    const before = await lockVersion(tx, request);
    if (wish.url !== undefined && wish.url !== before.url) await requireFreeAddress(tx, before, wish.url);
    const nowMs = rt.clock.now();
    requireChoices(before.format, wish);
    const { enabled = before.disabledReason === null, ...given } = wish;
    const chosen = { ...given, ...choicesOf(before.format, given) };
    if (enabled) requireGranted(request, scopesOfEndpoint({ ...before, ...chosen }));
    const wasEnabled = before.disabledReason === null;
    const stays = { disabledReason: before.disabledReason, disabledMs: before.disabledMs };
    const off = { disabledReason: 'person', disabledMs: nowMs } as const;
    const state = enabled ? ENABLED : wasEnabled ? off : stays;
    const wanted = typesFor(before.types);
    if (chosen.types !== undefined && wanted !== null) await passToWanted(tx, before, wanted);
    await updateEndpoint(tx, { ...before, ...chosen, ...state }, nowMs);
    if (enabled && !wasEnabled) await restartLane(tx, before);
    if (!enabled && wasEnabled) await giveUpDeliveries(tx, before, nowMs);
    const { endpointId: targetId } = before;
    const chosenOf = { ...before, enabled: wasEnabled };
    const details = changeDetails(
      changesBetween(eventFields(chosenOf), eventFields({ ...chosenOf, ...chosen, enabled })),
      SHOWN,
    );
    await audit(rt, tx, { tenantId, origin, action: 'webhook.changed', targetId, details });
    return requireEndpoint(tx, tenantId, targetId);
  });
}

/** Fields that hold no free text. */
const SHOWN = ['url', 'types', 'ordering', 'enabled'];

function eventFields({ url, description, types, ordering, enabled }: Omit<EndpointFields, 'format'>): JsonObject {
  return { url, description, types, ordering, enabled };
}

/** Removes an endpoint and its deliveries. @throws ApiProblem not_found, precondition_failed */
export function removeEndpoint(rt: Runtime, db: Database, request: EndpointRequest): Promise<WebhookEndpoint> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const endpoint = await lockVersion(tx, request);
    await deleteEndpoint(tx, endpoint);
    const { endpointId: targetId, url } = endpoint;
    await audit(rt, tx, { tenantId, origin, action: 'webhook.deleted', targetId, details: { url } });
    return endpoint;
  });
}

/**
 * Gives an endpoint a new secret; the present one signs as well for `overlapMs`.
 * @throws ApiProblem not_found, secrets_unavailable
 */
export function rotateSecret(
  { rt, db, keyring }: EndpointDeps,
  request: Omit<EndpointRequest, 'versions'> & { readonly overlapMs: number },
): Promise<MadeEndpoint> {
  const { tenantId, endpointId, origin, overlapMs } = request;
  return db.transaction(async (tx) => {
    const endpoint = await lockVersion(tx, { ...request, versions: null });
    const { secret, sealed } = newSecret(keyring, tenantId, endpoint.endpointId);
    const nowMs = rt.clock.now();
    // The network's form has room for one signature: the new secret signs at once.
    const overlaps = overlapMs > 0 && endpoint.format === 'postrider';
    const oldUntilMs = overlaps ? nowMs + overlapMs : null;
    await rotateEndpointSecret(tx, endpoint, { ...sealed, oldUntilMs, nowMs });
    const details = { overlap_s: overlaps ? Math.round(overlapMs / 1000) : 0 };
    await audit(rt, tx, { tenantId, origin, action: 'webhook.secret_rotated', targetId: endpoint.endpointId, details });
    return { endpoint: await requireEndpoint(tx, tenantId, endpointId), secret };
  });
}

/** Each endpoint gets every event: several at one address would multiply what reaches its host. @throws ApiProblem conflict */
function requireNewAddress(url: string, others: readonly Pick<WebhookEndpoint, 'url'>[]): void {
  const address = canonicalAddress(url);
  if (others.some((other) => canonicalAddress(other.url) === address)) {
    throw new ApiProblem('conflict', { sentence: SAME_ADDRESS });
  }
}

/** @throws ApiProblem conflict when another endpoint than this one has the address */
async function requireFreeAddress(
  tx: Transaction,
  { tenantId, endpointId }: WebhookEndpoint,
  url: string,
): Promise<void> {
  const others = (await lockAddresses(tx, tenantId)).filter((one) => one.endpointId !== endpointId);
  requireNewAddress(url, others);
}

/** An endpoint of callbacks gets no events, and all callbacks, each as soon as it can. @throws ApiProblem validation_failed */
function requireChoices(
  format: EndpointFormat,
  { types, ordering }: Partial<Pick<EndpointFields, 'types' | 'ordering'>>,
) {
  if (format === 'postrider') return;
  const given = [types ? 'types' : null, ordering === 'conversation' ? 'ordering' : null].filter(
    (name) => name !== null,
  );
  const details = given.map((name) => {
    return {
      path: `body.${name}`,
      message: `${name} cannot be chosen with the format network: it gets all callbacks.`,
    };
  });
  if (details.length === 0) return;
  throw new ApiProblem('validation_failed', { sentence: details.map(({ message }) => message).join(' '), details });
}

/** The types as they are stored. */
function choicesOf(format: EndpointFormat, { types }: { readonly types?: EndpointFields['types'] }) {
  if (format === 'network') return { types: [] };
  return types === undefined ? {} : { types };
}

/** @throws ApiProblem validation_failed when nothing may be posted there, as far as its text says */
export function requireAddress(rt: Runtime, url: string): void {
  const fault = webhookAddressFault(parseWebhookAllow(rt.config.webhookAllow), url);
  if (fault === null) return;
  const message = `url ${fault}.`;
  throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.url', message }] });
}

async function lockVersion(
  tx: Transaction,
  { tenantId, endpointId, versions }: EndpointRequest,
): Promise<WebhookEndpoint> {
  return requireVersion('endpoint', await lockEndpoint(tx, tenantId, endpointId), versions);
}

/** @throws ApiProblem not_found */
export async function requireEndpoint(db: SqlRunner, tenantId: TenantId, endpointId: string): Promise<WebhookEndpoint> {
  return requireFound(await findEndpoint(db, tenantId, endpointId));
}
