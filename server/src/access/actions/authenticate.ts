import { createHash, timingSafeEqual } from 'node:crypto';
import { findUsableKeys, hasForeignKeys, touchApiKey, type UsableKey } from '#access/store/api-keys';
import { isForeignKey, mayBeApiKey } from '#core/caller/api-key';
import type { Authenticator, Principal } from '#core/caller/principal';
import type { KeyId } from '#core/ids';
import { parseNetworks } from '#core/public-address';
import type { Database } from '#database/database';
import { GroupCommit, MAX_BATCH_ROWS } from '#database/group-commit';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/** A revoked key stops working everywhere within 2 s: what is remembered is older than that by no means. */
const REMEMBER_MS = 1_500;
/** Valid keys remembered, and as many invalid ones in a separate memory: guesses push out no valid key. */
const MAX_KEYS = 20_000;
/** Keys that wait to be looked up; beyond it the answer is 503. */
const MAX_LOOK_UPS = 10_000;
/** A key of another form comes from the operator, at a start: others may learn a moment later that there is one. */
const FOREIGN_KEYS_MS = 5_000;
const MAX_KEY_LENGTH = 256;
/** How often "last used" is written per key and process. */
const TOUCH_MS = 60_000;

export function makeAuthenticator(rt: Runtime, db: Database): Authenticator {
  const touched = new Map<KeyId, number>();
  const touch = ({ tenantId, keyId }: Pick<UsableKey, 'tenantId' | 'keyId'>): void => {
    const nowMs = rt.clock.monotonic();
    if (nowMs - (touched.get(keyId) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS) return;
    if (touched.size >= MAX_KEYS) touched.clear();
    touched.set(keyId, nowMs);
    touchApiKey(db, tenantId, keyId, rt.clock.now()).catch((error: Error) =>
      rt.log.warn({ error: error.message }, 'key.touch_failed'),
    );
  };
  const lookUps = makeLookUps(rt, db);
  const foreign = new TtlCache({
    clock: rt.clock,
    maxAgeMs: FOREIGN_KEYS_MS,
    maxEntries: 1,
    read: () => hasForeignKeys(db),
  });
  const mayBeForeign = () => foreign.of('any');
  const remembered = new TtlCache<Principal | null>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_KEYS,
    isApart: (principal) => principal === null,
    read: async (key) => {
      const principal = await readPrincipal(key, { mayBeForeign, lookUps });
      const { tenantId, keyId = null } = principal ?? {};
      if (tenantId !== undefined && keyId !== null) touch({ tenantId, keyId });
      return principal;
    },
  });
  return {
    authenticate: (key) => (key.length > MAX_KEY_LENGTH || !mayBeApiKey(key) ? null : remembered.of(key)),
  };
}

type LookUps = GroupCommit<string, UsableKey | null>;

/** Keys that arrive while a statement runs are looked up together by the next one: guesses delay no valid key. */
function makeLookUps(rt: Runtime, db: Database): LookUps {
  return new GroupCommit({
    name: 'key_look_ups',
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: MAX_LOOK_UPS,
    maxInFlight: 1,
    write: async (keyHashes) => {
      const found = await findUsableKeys(db, keyHashes, rt.clock.now());
      const byHash = new Map(found.map((key) => [key.keyHash, key]));
      return keyHashes.map((keyHash) => byHash.get(keyHash) ?? null);
    },
  });
}

interface KeySources {
  /** Whether the installation has keys that are not of our own form: without any, such a text costs no query. */
  readonly mayBeForeign: () => boolean | Promise<boolean>;
  readonly lookUps: LookUps;
}

async function readPrincipal(key: string, { mayBeForeign, lookUps }: KeySources): Promise<Principal | null> {
  if (isForeignKey(key) && !(await mayBeForeign())) return null;
  const keyHash = hashKey(key);
  const found = await lookUps.add(keyHash);
  if (found === null || !timingSafeEqual(Buffer.from(found.keyHash), Buffer.from(keyHash))) return null;
  const { keyHash: _hash, expiresMs: _end, tenantAllowedIps, ...principal } = found;
  const lists = [principal.allowedIps, tenantAllowedIps].filter((list) => list.length > 0);
  const networks = lists.map((list) => parseNetworks(list.join(',')));
  return { ...principal, session: null, networks };
}

/** What is stored of a key: SHA-256 in base64. A key is random and long, so a fast hash is right. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
