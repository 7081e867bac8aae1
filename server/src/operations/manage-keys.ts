import type { KeyMode } from '#core/api-key';
import type { Origin } from '#core/audit';
import { ApiProblem } from '#core/errors';
import type { AgentId } from '#core/ids';
import { missingScope } from '#core/scopes';
import type { Runtime } from '#runtime/runtime';
import { lockAgent } from '#storage/agents';
import { type ApiKey, anotherKeyHas, findApiKey, lockKeysOf } from '#storage/api-keys';
import type { Database, SqlRunner } from '#storage/database';
import type { IdempotencyClaim } from './accept-message.ts';
import type { Principal } from './authenticate.ts';
import { changeOnce, type Once } from './change-once.ts';
import { createKeyIn, isUsable, type KeyFields, type MadeKey, revokeKeyIn, rotateKeyIn } from './key-changes.ts';
import type { Answer } from './run-once.ts';

/** A request with a key that changes keys. */
export interface KeyRequest {
  readonly principal: Principal;
  readonly origin: Origin;
}

/** What repetitions of a request get: the answer without the key, which is stored nowhere. */
interface OnceOnly {
  readonly claim: IdempotencyClaim | null;
  readonly keep: (made: MadeKey) => Answer;
}

/** Null: as the key that asks, but for the end, where null is none. */
export interface KeyWish {
  readonly name: string;
  readonly mode: KeyMode | null;
  readonly scopes: readonly string[] | null;
  readonly ratePerSecond: number | null;
  readonly expiresMs: number | null;
  /** The agent that it acts for. Null: as the key that asks. */
  readonly agentId: AgentId | null;
}

/**
 * Makes a key that may do no more than the one that asks.
 * @throws ApiProblem forbidden when it would, validation_failed for an end that has passed
 */
export function createKey(
  rt: Runtime,
  db: Database,
  { principal, origin, wish, claim, keep }: KeyRequest & OnceOnly & { readonly wish: KeyWish },
): Promise<Once<MadeKey>> {
  const { tenantId } = principal;
  const fields: KeyFields = {
    tenantId,
    name: wish.name,
    mode: wish.mode ?? principal.mode,
    scopes: wish.scopes ?? principal.scopes,
    ratePerSecond: wish.ratePerSecond ?? principal.ratePerSecond,
    expiresMs: wish.expiresMs,
    agentId: wish.agentId ?? principal.agentId,
  };
  requireNoMore(rt, principal, fields);
  requireFuture(rt, wish.expiresMs);
  return changeOnce(rt, db, { tenantId, claim, keep }, async (tx) => {
    await requireAgent(tx, fields);
    return createKeyIn(rt, tx, fields, origin);
  });
}

/**
 * Makes a successor of a key; the old one works for `overlapMs` more.
 * @throws ApiProblem not_found, conflict when the key no longer works, forbidden when it may more than the one that asks
 */
export function rotateKey(
  rt: Runtime,
  db: Database,
  request: KeyRequest & OnceOnly & { readonly keyId: string; readonly overlapMs: number },
): Promise<Once<MadeKey>> {
  const { principal, origin, keyId, overlapMs, claim, keep } = request;
  const { tenantId } = principal;
  return changeOnce(rt, db, { tenantId, claim, keep }, async (tx) => {
    await lockKeysOf(tx, tenantId);
    const old = await findApiKey(tx, tenantId, keyId);
    if (old === null) throw new ApiProblem('not_found');
    if (!isUsable(old, rt.clock.now())) {
      throw new ApiProblem('conflict', { sentence: 'This key no longer works; make a new one instead.' });
    }
    requireNoMore(rt, principal, old);
    return rotateKeyIn(rt, tx, { old, overlapMs, origin });
  });
}

/**
 * Ends a key, everywhere within 2 seconds. One that is revoked already stays as it is.
 * @returns the key as it now is
 * @throws ApiProblem not_found; conflict when the key that asks would leave the tenant without a key that can make keys
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
    const nowMs = rt.clock.now();
    // Only who asks can be the last one: it has just shown that it works and has the scope.
    const isLast = key.keyId === principal.keyId && !(await anotherKeyHas(tx, 'keys:write', key, nowMs));
    if (isLast) throw new ApiProblem('conflict', { sentence: LAST_KEY });
    await revokeKeyIn(rt, tx, { tenantId, keyId: key.keyId, origin });
    return (await findApiKey(tx, tenantId, keyId)) ?? key;
  });
}

/** The refusal of revoking the last key that can make keys. */
export const LAST_KEY =
  'This is the last working key with the scope keys:write: make another one first, or let the operator revoke it.';

/** "A key can never grant scopes that it lacks itself": nor another mode, nor a higher rate. */
function requireNoMore(rt: Runtime, asking: Principal, wanted: KeyFields): void {
  const scope = missingScope(asking.scopes, wanted.scopes);
  if (scope !== null)
    throw refusal(`This API key lacks ${scope === '*' ? 'some scopes' : `the scope ${scope}`} itself.`);
  if (asking.agentId !== null && wanted.agentId !== asking.agentId) {
    throw refusal('This API key acts for another agent.');
  }
  if (asking.mode === 'test' && wanted.mode === 'live') throw refusal('A test key cannot make or rotate live keys.');
  const own = speedOf(rt, asking.ratePerSecond);
  if (speedOf(rt, wanted.ratePerSecond) > own)
    throw refusal(`This API key has a rate limit of ${own} requests per second itself.`);
}

/** The agent must be the tenant's. A key that acts for one agent makes no key for another. */
async function requireAgent(tx: SqlRunner, { tenantId, agentId }: KeyFields): Promise<void> {
  if (agentId === null || (await lockAgent(tx, tenantId, agentId)) !== null) return;
  const message = 'agent_id is not an agent of this tenant.';
  throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.agent_id', message }] });
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
  const message = 'expires_at has passed already.';
  throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.expires_at', message }] });
}
