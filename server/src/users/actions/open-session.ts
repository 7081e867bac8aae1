import { audit } from '#access/actions/audit';
import type { Origin } from '#core/caller/origin';
import type { PersonSession } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import type { SessionId, UserId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { IDLE_MS, type Membership, REMEMBERED_IDLE_MS, SESSION_MS, type Session } from '#users/domain/user';
import { endSession, insertSession } from '#users/store/sessions';
import { listMemberships } from '#users/store/users';
import { hashToken, makeToken } from './authenticate-session.ts';

/** Where a sign-in comes from. */
export interface SignInFrom {
  readonly requestId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The session that the browser has already: its cookie is about to be replaced, so it ends. */
  readonly replaces: Pick<PersonSession, 'sessionId' | 'userId'> | null;
}

/** A session with its token: shown once. */
export interface SignedIn {
  readonly session: Session;
  readonly token: string;
}

/** A person who has proved who they are. */
export interface Opening {
  readonly userId: UserId;
  /** Where they proved it, when it is good for one tenant alone; absent: for all of theirs. */
  readonly membership?: Membership;
  /** How they proved it, for the audit log. */
  readonly method: 'link' | 'password' | 'passkey' | 'sso';
  /** Besides, when they were asked for more. */
  readonly secondFactor?: string | null;
  readonly remember: boolean;
  readonly from: SignInFrom;
}

const NO_TENANT = 'This person no longer works in any active tenant of this service.';

/**
 * Signs a person in, in the first of their tenants that lets them in this way, and ends the session that the browser had before.
 * @throws ApiProblem sign_in_failed when the person works in no active tenant, sso_required when all of theirs let people in by
 *   single sign-on alone
 */
export async function openSession(rt: Runtime, tx: Transaction, opening: Opening): Promise<SignedIn> {
  const { userId, method, secondFactor = null, remember, from } = opening;
  const membership = opening.membership ?? (await firstMembership(tx, userId));
  await endReplaced(rt, tx, from);
  const nowMs = rt.clock.now();
  const idleMs = remember ? REMEMBERED_IDLE_MS : IDLE_MS;
  const times = { createdMs: nowMs, signedInMs: nowMs, idleMs, expiresMs: nowMs + SESSION_MS };
  const details = secondFactor === null ? { method } : { method, second_factor: secondFactor };
  return storeSession(rt, tx, { userId, membership, times, from, details });
}

async function firstMembership(tx: Transaction, userId: UserId): Promise<Membership> {
  const all = await listMemberships(tx, userId);
  if (all.length === 0) throw new ApiProblem('sign_in_failed', { sentence: NO_TENANT });
  const first = all.find(({ needsSso }) => !needsSso);
  if (first === undefined) throw new ApiProblem('sso_required');
  return first;
}

interface Stored {
  readonly userId: UserId;
  readonly membership: Membership;
  readonly times: Pick<Session, 'createdMs' | 'signedInMs' | 'idleMs' | 'expiresMs'>;
  readonly from: SignInFrom;
  readonly details: { readonly method: string };
}

/** Writes a session with a new token, and its entry in the audit log. */
export async function storeSession(
  rt: Runtime,
  tx: Transaction,
  { userId, membership, times, from, details }: Stored,
): Promise<SignedIn> {
  const token = makeToken();
  const { tenantId, agentId } = membership;
  const { userAgent, address } = from;
  const sessionId = rt.newId<SessionId>();
  const session: Session = {
    ...{ tenantId, sessionId, userId, agentId, userAgent, address },
    ...times,
    lastUsedMs: rt.clock.now(),
  };
  await insertSession(tx, { ...session, sessionHash: hashToken(token) });
  const origin = originOfPerson(from, session);
  await audit(rt, tx, { tenantId, origin, action: 'session.started', targetId: agentId, details });
  return { session, token };
}

/** Ends the session that the browser had, if it has not ended yet. @returns null: it had */
export async function endReplaced(rt: Runtime, tx: Transaction, from: SignInFrom): Promise<Session | null> {
  if (from.replaces === null) return null;
  const { userId, sessionId } = from.replaces;
  const ended = await endSession(tx, userId, sessionId, rt.clock.now());
  if (ended === null) return null;
  const { tenantId, agentId } = ended;
  const origin = originOfPerson(from, ended);
  await audit(rt, tx, { tenantId, origin, action: 'session.ended', targetId: agentId, details: {} });
  return ended;
}

function originOfPerson({ requestId, address }: SignInFrom, { agentId }: Pick<Session, 'agentId'>): Origin {
  return { actor: 'agent', keyId: null, agentId, requestId, address };
}
