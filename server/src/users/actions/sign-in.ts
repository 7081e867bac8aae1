import { audit } from '#access/actions/audit';
import type { Origin } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { TenantId, UserId } from '#core/ids';
import type { Database, SqlRunner, Transaction } from '#database/database';
import type { Config } from '#runtime/config';
import type { Runtime } from '#runtime/runtime';
import { LINK_MS, type Session } from '#users/domain/user';
import { type Credentials, findCredentials, lockCredentials } from '#users/store/credentials';
import { endAllSessions, endSession } from '#users/store/sessions';
import { findSignInLink, insertSignInLink, takeSignInLink } from '#users/store/sign-in-links';
import { auditPerson } from './audit-person.ts';
import { hashToken, makeToken } from './authenticate-session.ts';
import { type Attempt, beginAttempt, endAttempt, settlingAttempt, subjectOfUser } from './limit-attempts.ts';
import { openSession, type SignedIn, type SignInFrom } from './open-session.ts';
import type { PersonDeps } from './person-deps.ts';
import { hasSecondFactor, requireSecondFactor } from './second-factor.ts';

/** What a person who signs in by a link hands in. */
export interface LinkSignIn {
  readonly token: string;
  /** Of the second factor, when the person has one. */
  readonly code: string | null;
  /** Whether the session survives longer without use. */
  readonly remember: boolean;
  readonly from: SignInFrom;
}

/**
 * Signs in the person whom a link was made for, in the first of their tenants; the link is used up. Whoever found the link
 * still needs the person's second factor.
 * @throws ApiProblem sign_in_failed when the link is no longer one, or the person works in no active tenant;
 *   second_factor_required or second_factor_failed, which leave the link as it is; rate_limited after too many codes
 */
export async function signInByLink(deps: PersonDeps, input: LinkSignIn): Promise<SignedIn> {
  const { rt, db } = deps;
  const linkHash = hashToken(input.token);
  const userId = await findSignInLink(db, linkHash, rt.clock.now());
  const person = userId === null ? null : await findCredentials(db, userId);
  if (person === null) throw new ApiProblem('sign_in_failed');
  const attempt = await attemptAtCode(deps, person, input);
  const enter = () => db.transaction((tx) => enterByLink(deps, tx, { ...input, linkHash, attempt }));
  return settlingAttempt(db, attempt, enter);
}

/** Codes are short: they are counted like passwords. Without one, nothing is tried. */
async function attemptAtCode(
  { rt, db }: PersonDeps,
  person: Credentials,
  { code, from }: LinkSignIn,
): Promise<Attempt> {
  if (code === null || !hasSecondFactor(person)) return { taken: [] };
  return beginAttempt(rt, db, { account: subjectOfUser(person.userId), address: from.address });
}

async function enterByLink(
  { rt, keyring }: PersonDeps,
  tx: Transaction,
  { linkHash, attempt, code, remember, from }: LinkSignIn & { readonly linkHash: string; readonly attempt: Attempt },
): Promise<SignedIn> {
  const link = await takeSignInLink(tx, linkHash, rt.clock.now());
  const person = link === null ? null : await lockCredentials(tx, link.userId);
  if (link === null || person === null) throw new ApiProblem('sign_in_failed');
  const { userId } = person;
  const secondFactor = await requireSecondFactor({ rt, keyring }, tx, { person, code });
  if (link.recovers) await endForRecovery(rt, tx, userId, from);
  const signedIn = await openSession(rt, tx, { userId, method: 'link', secondFactor, remember, from });
  await endAttempt(tx, attempt, person);
  return signedIn;
}

/** Whoever forgot a password may have lost a device too: nobody stays signed in as them. */
async function endForRecovery(rt: Runtime, tx: Transaction, userId: UserId, from: SignInFrom): Promise<void> {
  const { requestId, address } = from;
  const origin: Origin = { actor: 'agent', keyId: null, agentId: null, requestId, address };
  await endSessionsWithin(rt, tx, { userId, origin });
  await auditPerson(rt, tx, { userId, action: 'user.recovered', origin });
}

/** Makes a link that signs a person in once, within ten minutes. */
export function makeSignInLink(rt: Runtime, db: Database, userId: UserId): Promise<string> {
  return storeLink(rt, db, { userId, lifetimeMs: LINK_MS });
}

interface NewLink {
  readonly userId: UserId;
  readonly lifetimeMs: number;
  /** Whether it was mailed to somebody who had forgotten their password. Default: false. */
  readonly recovers?: boolean;
}

/** Makes a link that signs a person in once, within its lifetime. The token stands where a browser sends it to nobody. */
export async function storeLink(
  rt: Runtime,
  db: SqlRunner,
  { userId, lifetimeMs, recovers = false }: NewLink,
): Promise<string> {
  const token = makeToken();
  const createdMs = rt.clock.now();
  const expiresMs = createdMs + lifetimeMs;
  await insertSignInLink(db, { linkHash: hashToken(token), userId, createdMs, expiresMs, recovers });
  return `${publicOrigin(rt.config)}/sign-in${recovers ? '?after=account' : ''}#token=${token}`;
}

/** Where browsers reach the service: by name, since an address is no domain that passkeys could be for. */
export function publicOrigin({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl === '' ? `http://localhost:${port}` : publicUrl.replace(/\/$/, '');
}

/** Where the people of a tenant begin to sign in by single sign-on. */
export function ssoStartUrl(config: Pick<Config, 'publicUrl' | 'port'>, tenantId: TenantId): string {
  return `${publicOrigin(config)}/v1/sso/${tenantId}/start`;
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
    await auditEnded(rt, tx, origin, [session]);
    return session;
  });
}

/** Ends every session of a person, in all their tenants, everywhere within 2 seconds. @returns how many there were */
export function endSessionsOf(
  rt: Runtime,
  db: Database,
  { userId, origin }: { readonly userId: UserId; readonly origin: Origin },
): Promise<number> {
  return db.transaction((tx) => endSessionsWithin(rt, tx, { userId, origin }));
}

/** The same within a transaction. @param but the session that stays; null: none does */
export async function endSessionsWithin(
  rt: Runtime,
  tx: Transaction,
  { userId, origin, but = null }: { readonly userId: UserId; readonly origin: Origin; readonly but?: string | null },
): Promise<number> {
  const ended = await endAllSessions(tx, userId, { nowMs: rt.clock.now(), but });
  await auditEnded(rt, tx, origin, ended);
  return ended.length;
}

async function auditEnded(rt: Runtime, tx: Transaction, origin: Origin, ended: readonly Session[]): Promise<void> {
  for (const { tenantId, agentId } of ended)
    await audit(rt, tx, { tenantId, origin, action: 'session.ended', targetId: agentId, details: {} });
}
