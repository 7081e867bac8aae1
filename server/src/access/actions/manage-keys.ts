import { type ApiKey, anotherKeyHas, countUsableKeys, findApiKey, lockKeysOf } from '#access/store/api-keys';
import { listPhoneNumbers } from '#accounts/store/phone-numbers';
import { lockAgent } from '#agents/store/agents';
import type { Origin } from '#core/caller/origin';
import type { Principal } from '#core/caller/principal';
import { missingScope } from '#core/caller/scopes';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { holdNetwork, parseNetworks } from '#core/public-address';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { createKeyIn, isUsable, type KeyFields, type MadeKey, revokeKeyIn, rotateKeyIn } from './key-changes.ts';

/** A request with a key that changes keys. */
export interface KeyRequest {
  readonly principal: Principal;
  readonly origin: Origin;
}

type KeyRights = Omit<KeyFields, 'expiresMs'>;

/** Null: as the key that asks. */
export type KeyInput = { readonly [Field in keyof Omit<KeyFields, 'tenantId' | 'name'>]: KeyFields[Field] | null } & {
  readonly name: string;
};

/**
 * Makes a key that may do no more than the one that asks.
 * @throws ApiProblem forbidden when it would do more or live longer, validation_failed for an end that has passed,
 * conflict for one too many
 */
export async function createKey(
  rt: Runtime,
  db: Database,
  { principal, origin, wish }: KeyRequest & { readonly wish: KeyInput },
): Promise<MadeKey> {
  const { tenantId } = principal;
  const granted = {
    tenantId,
    name: wish.name,
    mode: wish.mode ?? principal.mode,
    scopes: wish.scopes ?? principal.scopes,
    ratePerSecond: wish.ratePerSecond ?? principal.ratePerSecond,
    // A key that acts for an agent makes keys that do; a person makes keys for programs.
    agentId: wish.agentId ?? (principal.session === null ? principal.agentId : null),
    allowedIps: wish.allowedIps ?? principal.allowedIps,
    phoneNumberIds: wish.phoneNumberIds ?? principal.phoneNumberIds,
  };
  requireNoMore(rt, principal, granted);
  requireFuture(rt, wish.expiresMs);
  await requireOwnNumbers(db, granted);
  return db.transaction(async (tx) => {
    await lockKeysOf(tx, tenantId);
    await requireAgent(tx, granted);
    await requireRoom(rt, tx, tenantId);
    const askingEndsMs = await endOf(tx, principal);
    const fields = { ...granted, expiresMs: wish.expiresMs ?? askingEndsMs };
    requireNoLonger(askingEndsMs, fields);
    return createKeyIn(rt, tx, fields, origin);
  });
}

/**
 * Makes a successor of a key, which ends no later than the one that asks; the old one works for `overlapMs` more.
 * @throws ApiProblem not_found, conflict when the key no longer works or an overlap would be one key too many, forbidden
 * when it may more than the one that asks
 */
export function rotateKey(
  rt: Runtime,
  db: Database,
  request: KeyRequest & { readonly keyId: string; readonly overlapMs: number },
): Promise<MadeKey> {
  const { principal, origin, keyId, overlapMs } = request;
  const { tenantId } = principal;
  return db.transaction(async (tx) => {
    await lockKeysOf(tx, tenantId);
    const old = await findApiKey(tx, tenantId, keyId);
    if (old === null) throw new ApiProblem('not_found');
    if (!isUsable(old, rt.clock.now())) {
      throw new ApiProblem('conflict', { sentence: 'This key no longer works. Create a new one instead.' });
    }
    requireNoMore(rt, principal, old);
    const latestEndMs = await endOf(tx, principal);
    requireNoLonger(latestEndMs, old);
    // Without an overlap the successor replaces the old key; a leaked key can always be replaced immediately.
    if (overlapMs > 0) await requireRoom(rt, tx, tenantId);
    return rotateKeyIn(rt, tx, { old, overlapMs, origin, latestEndMs });
  });
}

/**
 * Ends a key, everywhere within 2 seconds. One that is revoked already stays as it is.
 * @returns the key as it now is
 * @throws ApiProblem not_found; forbidden when the key may more than the one that asks; conflict when the tenant would be left
 *   without a key that may do everything, or that can make keys
 */
export function revokeKey(
  rt: Runtime,
  db: Database,
  { principal, origin, keyId }: KeyRequest & { readonly keyId: string },
): Promise<ApiKey> {
  const { tenantId } = principal;
  return db.transaction(async (tx) => {
    await lockKeysOf(tx, tenantId);
    const key = await findApiKey(tx, tenantId, keyId);
    if (key === null) throw new ApiProblem('not_found');
    requireScopes(principal, key);
    await requireSuccessor(tx, key, rt.clock.now());
    await revokeKeyIn(rt, tx, { tenantId, keyId: key.keyId, origin });
    return (await findApiKey(tx, tenantId, keyId)) ?? key;
  });
}

/** The refusal of revoking the last key that may do everything. */
export const LAST_FULL_KEY =
  'This is the last working key with all scopes. Create another one first, or ask the operator to revoke it.';

/** The refusal of revoking the last key that can make keys. */
export const LAST_KEY =
  'This is the last working key with the scope keys:write. Create another one first, or ask the operator to revoke it.';

/**
 * Without its last such key a tenant could repair nothing itself. A key of an agent or of some numbers does not count.
 */
async function requireSuccessor(tx: Transaction, key: ApiKey, nowMs: number): Promise<void> {
  if (key.agentId !== null || key.phoneNumberIds.length > 0 || !isUsable(key, nowMs)) return;
  const isFull = key.scopes.length === 0;
  if (!isFull && !key.scopes.includes('keys:write')) return;
  if (await anotherKeyHas(tx, isFull ? null : 'keys:write', key, nowMs)) return;
  throw new ApiProblem('conflict', { sentence: isFull ? LAST_FULL_KEY : LAST_KEY });
}

/** When the calling key expires; null: it does not expire, or a person asks. */
async function endOf(tx: Transaction, { tenantId, keyId }: Principal): Promise<number | null> {
  return keyId === null ? null : ((await findApiKey(tx, tenantId, keyId))?.expiresMs ?? null);
}

/** Who steals a key that ends soon must not be able to stay. */
function requireNoLonger(askingEndsMs: number | null, { expiresMs }: Pick<KeyFields, 'expiresMs'>): void {
  if (askingEndsMs === null || (expiresMs !== null && expiresMs <= askingEndsMs)) return;
  throw refusal('This API key expires sooner.');
}

/** "A key can never grant scopes that it lacks itself": nor another mode, a higher rate, or wider limits. */
function requireNoMore(rt: Runtime, asking: Principal, wanted: KeyRights): void {
  requireScopes(asking, wanted);
  // A person may what their role may: nobody below an owner gets here.
  if (asking.session === null && asking.agentId !== null && wanted.agentId !== asking.agentId) {
    throw refusal('This API key acts for another agent.');
  }
  requireWithin(asking, wanted);
  const own = speedOf(rt, asking.ratePerSecond);
  if (speedOf(rt, wanted.ratePerSecond) > own)
    throw refusal(`This API key has a rate limit of ${own} requests per second.`);
}

/** What is asked of a key that makes, rotates or revokes another one. */
function requireScopes(asking: Principal, wanted: Pick<KeyFields, 'scopes' | 'mode'>): void {
  const scope = missingScope(asking.scopes, wanted.scopes);
  if (scope !== null) throw refusal(`This API key lacks ${scope === '*' ? 'some scopes' : `the scope ${scope}`}.`);
  if (asking.mode === 'test' && wanted.mode === 'live')
    throw refusal('A test key cannot create, rotate or revoke live keys.');
}

/** Each key has its own rate and a place in memory: a tenant must not create any number of them. */
async function requireRoom(rt: Runtime, tx: Transaction, tenantId: TenantId): Promise<void> {
  const { keysPerTenant } = rt.config;
  if ((await countUsableKeys(tx, tenantId, rt.clock.now())) < keysPerTenant) return;
  const sentence = `This tenant already has ${keysPerTenant} working keys. Revoke one that is not needed.`;
  throw new ApiProblem('conflict', { sentence });
}

/** @throws ApiProblem forbidden when a key would reach more addresses or sending numbers than the one that asks */
function requireWithin(asking: Principal, wanted: Pick<KeyFields, 'allowedIps' | 'phoneNumberIds'>): void {
  if (reachesMore(asking.allowedIps, wanted.allowedIps)) throw refusal('This API key is limited to fewer addresses.');
  const { phoneNumberIds: numbers } = asking;
  const isWider = wanted.phoneNumberIds.length === 0 || wanted.phoneNumberIds.some((id) => !numbers.includes(id));
  if (numbers.length > 0 && isWider) throw refusal('This API key is limited to fewer sending numbers.');
}

/** Whether a key with the list `wanted` could be used from where one with the list `own` cannot. */
function reachesMore(own: readonly string[], wanted: readonly string[]): boolean {
  if (own.length === 0) return false;
  const networks = parseNetworks(own.join(','));
  return wanted.length === 0 || !parseNetworks(wanted.join(',')).every((network) => holdNetwork(networks, network));
}

async function requireOwnNumbers(db: Database, { tenantId, phoneNumberIds }: KeyRights): Promise<void> {
  if (phoneNumberIds.length === 0) return;
  const own = new Set<string>((await listPhoneNumbers(db, tenantId)).map((number) => number.phoneNumberId));
  const place = phoneNumberIds.findIndex((id) => !own.has(id));
  if (place === -1) return;
  throw invalid(
    `phone_number_ids[${place}]`,
    `phone_number_ids[${place}] does not name a sending number of this tenant.`,
  );
}

/** The agent must be the tenant's. A key that acts for one agent makes no key for another. */
async function requireAgent(tx: Transaction, { tenantId, agentId }: KeyRights): Promise<void> {
  if (agentId === null || (await lockAgent(tx, tenantId, agentId)) !== null) return;
  throw invalid('agent_id', 'agent_id does not name an agent of this tenant.');
}

function invalid(field: string, message: string): ApiProblem {
  return new ApiProblem('validation_failed', { sentence: message, details: [{ path: `body.${field}`, message }] });
}

function refusal(sentence: string): ApiProblem {
  return new ApiProblem('forbidden', { sentence });
}

function speedOf(rt: Runtime, ratePerSecond: number | null): number {
  const rate = ratePerSecond ?? rt.config.apiRate;
  return rate === 0 ? Number.POSITIVE_INFINITY : rate;
}

function requireFuture(rt: Runtime, expiresMs: number | null): void {
  if (expiresMs === null || expiresMs > rt.clock.now()) return;
  throw invalid('expires_at', 'expires_at is in the past.');
}
