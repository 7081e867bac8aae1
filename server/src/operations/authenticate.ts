import { createHash, timingSafeEqual } from 'node:crypto';
import { mayBeApiKey } from '#core/api-key';
import type { KeyId, TenantId } from '#core/ids';
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

interface Entry {
  readonly principal: Principal | null;
  readonly readAtMs: number;
  touchedAtMs: number;
}

export function makeAuthenticator(rt: Runtime, db: Database): Authenticator {
  const remembered = new Map<string, Entry>();
  const reading = new Map<string, Promise<Principal | null>>();

  const read = async (key: string): Promise<Principal | null> => {
    const keyHash = hashKey(key);
    const readAtMs = rt.clock.monotonic();
    const found = await findUsableKey(db, keyHash, rt.clock.now());
    const usable = found !== null && timingSafeEqual(Buffer.from(found.keyHash), Buffer.from(keyHash));
    const principal = usable
      ? { tenantId: found.tenantId, keyId: found.keyId, mode: found.mode, scopes: found.scopes }
      : null;
    const touchedAtMs = remembered.get(key)?.touchedAtMs ?? Number.NEGATIVE_INFINITY;
    if (remembered.size >= MAX_KEYS) remembered.delete(remembered.keys().next().value as string);
    remembered.set(key, { principal, readAtMs, touchedAtMs });
    touch(key);
    return principal;
  };

  const touch = (key: string): void => {
    const entry = remembered.get(key);
    if (!entry?.principal || entry.readAtMs - entry.touchedAtMs < TOUCH_MS) return;
    entry.touchedAtMs = entry.readAtMs;
    const { tenantId, keyId } = entry.principal;
    touchApiKey(db, tenantId, keyId, rt.clock.now()).catch((error: Error) =>
      rt.log.warn({ error: error.message }, 'key.touch_failed'),
    );
  };

  return {
    authenticate: (key) => {
      if (key.length > MAX_KEY_LENGTH || !mayBeApiKey(key)) return null;
      const entry = remembered.get(key);
      if (entry && rt.clock.monotonic() - entry.readAtMs < REMEMBER_MS) return entry.principal;
      const running = reading.get(key);
      if (running) return running;
      const started = read(key).finally(() => reading.delete(key));
      reading.set(key, started);
      return started;
    },
  };
}

/** What is stored of a key: SHA-256 in base64. A key is random and long, so a fast hash is right. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
