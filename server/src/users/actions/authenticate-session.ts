import { createHash, randomBytes } from 'node:crypto';
import type { Authenticator, Principal } from '#core/caller/principal';
import type { SessionId } from '#core/ids';
import { parseNetworks } from '#core/public-address';
import type { Database } from '#database/database';
import { GroupCommit, MAX_BATCH_ROWS } from '#database/group-commit';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';
import { findUsableSessions, touchSession, type UsableSession } from '#users/store/sessions';

/** An ended session stops working everywhere within 2 s: what is remembered is older than that by no means. */
const REMEMBER_MS = 1_500;
/** Open sessions remembered, and as many tokens that are none in a separate memory. */
const MAX_SESSIONS = 20_000;
/** Tokens that wait to be looked up; beyond it the answer is 503. */
const MAX_LOOK_UPS = 10_000;
/** How often "last used" is written per session and process. */
const TOUCH_MS = 60_000;
const TOKEN_BYTES = 32;

/** A new token of a session or a link: 256 random bits in base64url, of which only the hash is stored. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored of a token: SHA-256 in base64. It is random and long, so a fast hash is right. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** Knows sessions by their tokens, as `makeAuthenticator` knows keys. */
export function makeSessionAuthenticator(rt: Runtime, db: Database): Authenticator {
  const lookUps = makeLookUps(rt, db);
  const touch = makeTouch(rt, db);
  const remembered = new TtlCache<Principal | null>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_SESSIONS,
    isApart: (principal) => principal === null,
    read: async (token) => {
      const session = await lookUps.add(hashToken(token));
      if (session === null) return null;
      touch(session);
      return principalOfSession(session);
    },
  });
  return { authenticate: (token) => remembered.of(token) };
}

/** Tokens that arrive while a statement runs are looked up together by the next one. */
function makeLookUps(rt: Runtime, db: Database): GroupCommit<string, UsableSession | null> {
  return new GroupCommit({
    name: 'session_look_ups',
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: MAX_LOOK_UPS,
    maxInFlight: 1,
    write: async (hashes) => {
      const found = await findUsableSessions(db, hashes, rt.clock.now());
      const byHash = new Map(found.map((session) => [session.sessionHash, session]));
      return hashes.map((hash) => byHash.get(hash) ?? null);
    },
  });
}

function makeTouch(rt: Runtime, db: Database): (session: UsableSession) => void {
  const touched = new Map<SessionId, number>();
  return ({ tenantId, sessionId }) => {
    const nowMs = rt.clock.monotonic();
    if (nowMs - (touched.get(sessionId) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS) return;
    if (touched.size >= MAX_SESSIONS) touched.clear();
    touched.set(sessionId, nowMs);
    touchSession(db, tenantId, sessionId, rt.clock.now()).catch((error: Error) =>
      rt.log.warn({ error: error.message }, 'session.touch_failed'),
    );
  };
}

/** A session may do what the role of its agent may, from where the tenant may be reached from. */
function principalOfSession(session: UsableSession): Principal {
  const { tenantId, sessionId, userId, agentId, signedInMs, tenantAllowedIps, refusal } = session;
  return {
    tenantId,
    keyId: null,
    session: { sessionId, userId, signedInMs },
    mode: 'live',
    scopes: [],
    ratePerSecond: null,
    agentId,
    allowedIps: [],
    networks: tenantAllowedIps.length === 0 ? [] : [parseNetworks(tenantAllowedIps.join(','))],
    phoneNumberIds: [],
    refusal,
  };
}
