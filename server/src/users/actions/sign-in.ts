import { audit } from '#access/actions/audit';
import type { Origin } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { SessionId, UserId } from '#core/ids';
import type { Database, SqlRunner, Transaction } from '#database/database';
import type { Config } from '#runtime/config';
import type { Runtime } from '#runtime/runtime';
import { IDLE_MS, LINK_MS, type Membership, REMEMBERED_IDLE_MS, SESSION_MS, type Session } from '#users/domain/user';
import { endAllSessions, endSession, insertSession } from '#users/store/sessions';
import { insertSignInLink, takeSignInLink } from '#users/store/sign-in-links';
import { listMemberships } from '#users/store/users';
import { hashToken, makeToken } from './authenticate-session.ts';

/** Where a sign-in comes from. */
export interface SignInFrom {
  readonly requestId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** A link with its token, or a session with its token: shown once. */
export interface SignedIn {
  readonly session: Session;
  readonly token: string;
}

/**
 * Signs in the person whom a link was made for, in the first of their tenants; the link is used up.
 * @param remember whether the session survives longer without use
 * @throws ApiProblem sign_in_failed when the link is no longer one, or the person works in no active tenant
 */
export function signInByLink(
  rt: Runtime,
  db: Database,
  { token, remember, from }: { readonly token: string; readonly remember: boolean; readonly from: SignInFrom },
): Promise<SignedIn> {
  return db.transaction(async (tx) => {
    const userId = await takeSignInLink(tx, hashToken(token), rt.clock.now());
    if (userId === null) throw new ApiProblem('sign_in_failed');
    const [membership] = await listMemberships(tx, userId);
    if (membership === undefined) throw new ApiProblem('sign_in_failed', { sentence: NO_TENANT });
    return openSession(rt, tx, { userId, membership, remember, from });
  });
}

/** Makes a link that signs a person in once, within ten minutes. */
export function makeSignInLink(rt: Runtime, db: Database, userId: UserId): Promise<string> {
  return storeLink(rt, db, userId, LINK_MS);
}

/** Makes a link that signs a person in once, within `lifetimeMs`. The token stands where a browser sends it to nobody. */
export async function storeLink(rt: Runtime, db: SqlRunner, userId: UserId, lifetimeMs: number): Promise<string> {
  const token = makeToken();
  const createdMs = rt.clock.now();
  await insertSignInLink(db, { linkHash: hashToken(token), userId, createdMs, expiresMs: createdMs + lifetimeMs });
  return `${publicOrigin(rt.config)}/sign-in#token=${token}`;
}

/** Where browsers reach the service: by name, since an address is no domain that passkeys could be for. */
export function publicOrigin({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl === '' ? `http://localhost:${port}` : publicUrl.replace(/\/$/, '');
}

const NO_TENANT = 'This person no longer works in any active tenant of this service.';

interface Opening {
  readonly userId: UserId;
  readonly membership: Membership;
  readonly remember: boolean;
  readonly from: SignInFrom;
}

async function openSession(
  rt: Runtime,
  tx: Transaction,
  { userId, membership, remember, from }: Opening,
): Promise<SignedIn> {
  const token = makeToken();
  const nowMs = rt.clock.now();
  const { tenantId, agentId } = membership;
  const session: Session = {
    tenantId,
    sessionId: rt.newId<SessionId>(),
    userId,
    agentId,
    createdMs: nowMs,
    signedInMs: nowMs,
    lastUsedMs: nowMs,
    idleMs: remember ? REMEMBERED_IDLE_MS : IDLE_MS,
    expiresMs: nowMs + SESSION_MS,
    userAgent: from.userAgent,
    address: from.address,
  };
  await insertSession(tx, { ...session, sessionHash: hashToken(token) });
  const origin: Origin = { actor: 'agent', keyId: null, agentId, requestId: from.requestId, address: from.address };
  await audit(rt, tx, { tenantId, origin, action: 'session.started', targetId: agentId, details: { method: 'link' } });
  return { session, token };
}

/**
 * Ends a session of a person, everywhere within 2 seconds.
 * @throws ApiProblem not_found when the person has no such open session
 */
export function endOwnSession(
  rt: Runtime,
  db: Database,
  { userId, sessionId, origin }: { readonly userId: UserId; readonly sessionId: string; readonly origin: Origin },
): Promise<Session> {
  return db.transaction(async (tx) => {
    const session = await endSession(tx, userId, sessionId, rt.clock.now());
    if (session === null) throw new ApiProblem('not_found');
    const { tenantId, agentId } = session;
    await audit(rt, tx, { tenantId, origin, action: 'session.ended', targetId: agentId, details: {} });
    return session;
  });
}

/** Ends every session of a person, in all their tenants, everywhere within 2 seconds. @returns how many there were */
export function endSessionsOf(
  rt: Runtime,
  db: Database,
  { userId, origin }: { readonly userId: UserId; readonly origin: Origin },
): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await endAllSessions(tx, userId, rt.clock.now());
    for (const { tenantId, agentId } of ended)
      await audit(rt, tx, { tenantId, origin, action: 'session.ended', targetId: agentId, details: {} });
    return ended.length;
  });
}
