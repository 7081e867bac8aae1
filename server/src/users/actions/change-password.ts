import type { Origin } from '#core/caller/origin';
import type { PersonSession } from '#core/caller/principal';
import { ApiProblem, requireFound } from '#core/errors';
import type { Transaction } from '#database/database';
import { normalizePassword, passwordFault } from '#users/domain/password';
import { isOnlyWayIn } from '#users/domain/ways-in';
import { findCredentials, lockCredentials, readWaysIn, setPasswordHash } from '#users/store/credentials';
import { deleteUnusedLinks } from '#users/store/sign-in-links';
import { auditPerson } from './audit-person.ts';
import { type Attempt, beginAttempt, endAttempt, settlingAttempt, subjectOfUser } from './limit-attempts.ts';
import type { PersonDeps } from './person-deps.ts';
import { endSessionsWithin } from './sign-in.ts';

/** Who changes what they sign in with. */
export interface OwnChange {
  readonly session: Pick<PersonSession, 'sessionId' | 'userId'>;
  readonly origin: Origin;
}

/** A person's new password. */
export interface PasswordChange extends OwnChange {
  readonly newPassword: string;
  /** Null: the person has signed in a moment ago, which is proof enough. */
  readonly currentPassword: string | null;
}

const NO_EMAIL = 'Set your email address first: you sign in with both.';
const ONLY_WAY = 'The password is your only way to sign in by yourself. Add another one first.';

/**
 * Sets the password of a person. All their other sessions end, and links that were made for them stop working.
 * @throws ApiProblem wrong_password; conflict without an email address; a `PasswordRefused` for one that is too easy to
 *   guess; rate_limited after too many wrong ones; overloaded
 */
export async function changePassword(deps: PersonDeps, change: PasswordChange): Promise<void> {
  const { db } = deps;
  if (change.currentPassword === null) return replacePassword(deps, change, null);
  const attempt = await attemptOf(deps, change);
  await settlingAttempt(db, attempt, () => replacePassword(deps, change, attempt));
}

function attemptOf({ rt, db }: PersonDeps, { session, origin }: OwnChange): Promise<Attempt> {
  return beginAttempt(rt, db, { account: subjectOfUser(session.userId), address: origin.address });
}

/** A new password that is not one. */
export class PasswordRefused extends Error {}

async function replacePassword(deps: PersonDeps, change: PasswordChange, attempt: Attempt | null): Promise<void> {
  const { db, passwords } = deps;
  const { currentPassword, newPassword, session } = change;
  const person = requireFound(await findCredentials(db, session.userId));
  if (person.email === null) throw new ApiProblem('conflict', { sentence: NO_EMAIL });
  const wanted = normalizePassword(newPassword);
  const fault = passwordFault(wanted, person);
  if (fault !== null) throw new PasswordRefused(fault);
  if (currentPassword !== null && !(await passwords.matches(person.passwordHash, normalizePassword(currentPassword))))
    throw new ApiProblem('wrong_password');
  const hash = await passwords.hash(wanted);
  await db.transaction(async (tx) => {
    const now = await lockCredentials(tx, person.userId);
    // Somebody else changed it meanwhile: what was compared is no longer the current one.
    if (now?.passwordHash !== person.passwordHash) throw new ApiProblem('wrong_password');
    await storePassword(deps, tx, change, hash);
    if (attempt !== null) await endAttempt(tx, attempt, person);
  });
}

async function storePassword({ rt }: PersonDeps, tx: Transaction, change: OwnChange, hash: string): Promise<void> {
  const { session, origin } = change;
  const { userId, sessionId } = session;
  await setPasswordHash(tx, userId, hash, rt.clock.now());
  await deleteUnusedLinks(tx, userId);
  await endSessionsWithin(rt, tx, { userId, origin, but: sessionId });
  await auditPerson(rt, tx, { userId, action: 'user.password_set', origin });
}

/**
 * Takes the password of a person away.
 * @throws ApiProblem not_found when there is none, conflict when the person could not sign in by themselves any more
 */
export function deletePassword({ rt, db }: PersonDeps, { session, origin }: OwnChange): Promise<void> {
  const { userId } = session;
  return db.transaction(async (tx) => {
    await lockCredentials(tx, userId);
    const ways = await readWaysIn(tx, userId);
    if (!ways.password) throw new ApiProblem('not_found');
    if (isOnlyWayIn('password', ways)) throw new ApiProblem('conflict', { sentence: ONLY_WAY });
    await setPasswordHash(tx, userId, null, rt.clock.now());
    await auditPerson(rt, tx, { userId, action: 'user.password_deleted', origin });
  });
}
