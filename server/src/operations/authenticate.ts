import { createHash, timingSafeEqual } from 'node:crypto';
import { mayBeApiKey } from '#core/api-key';
import type { AgentId, KeyId, TenantId } from '#core/ids';
import { Remembered } from '#runtime/remembered';
import type { Runtime } from '#runtime/runtime';
import { findUsableKey, touchApiKey } from '#storage/api-keys';
import type { Database } from '#storage/database';

/** Who calls. */
export interface Principal {
  readonly tenantId: TenantId;
  readonly keyId: KeyId;
  readonly mode: 'live' | 'test';
  /** Empty: every scope. */
  readonly scopes: readonly string[];
  /** Requests per second; null: the configured default; 0: no limit. */
  readonly ratePerSecond: number | null;
  /** The agent that the key acts for; null: none in particular. */
  readonly agentId: AgentId | null;
}

export interface Authenticator {
  /** Without a promise when the key is remembered: the hot path. Null: not a usable key. */
  authenticate(key: string): Principal | null | Promise<Principal | null>;
}

/** A revoked key stops working everywhere within 2 s: what is remembered is older than that by no means. */
const REMEMBER_MS = 1_500;
/** Keys remembered; beyond it the oldest is forgotten, so that guessed keys cannot fill the memory. */
const MAX_KEYS = 20_000;
const MAX_KEY_LENGTH = 256;
/** How often "last used" is written per key and process. */
const TOUCH_MS = 60_000;

export function makeAuthenticator(rt: Runtime, db: Database): Authenticator {
  const touched = new Map<KeyId, number>();
  const touch = ({ tenantId, keyId }: Principal): void => {
    const nowMs = rt.clock.monotonic();
    if (nowMs - (touched.get(keyId) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS) return;
    if (touched.size >= MAX_KEYS) touched.clear();
    touched.set(keyId, nowMs);
    touchApiKey(db, tenantId, keyId, rt.clock.now()).catch((error: Error) =>
      rt.log.warn({ error: error.message }, 'key.touch_failed'),
    );
  };
  const remembered = new Remembered<Principal | null>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_KEYS,
    read: async (key) => {
      const principal = await readPrincipal(rt, db, key);
      if (principal !== null) touch(principal);
      return principal;
    },
  });
  return {
    authenticate: (key) => (key.length > MAX_KEY_LENGTH || !mayBeApiKey(key) ? null : remembered.of(key)),
  };
}

async function readPrincipal(rt: Runtime, db: Database, key: string): Promise<Principal | null> {
  const keyHash = hashKey(key);
  const found = await findUsableKey(db, keyHash, rt.clock.now());
  if (found === null || !timingSafeEqual(Buffer.from(found.keyHash), Buffer.from(keyHash))) return null;
  const { tenantId, keyId, mode, scopes, ratePerSecond, agentId } = found;
  return { tenantId, keyId, mode, scopes, ratePerSecond, agentId };
}

/** What is stored of a key: SHA-256 in base64. A key is random and long, so a fast hash is right. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
