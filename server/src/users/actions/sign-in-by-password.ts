import { ApiProblem } from '#core/errors';
import type { Transaction } from '#database/database';
import { normalizePassword } from '#users/domain/password';
import { type Credentials, findCredentialsByEmail, lockCredentials } from '#users/store/credentials';
import { type Attempt, beginAttempt, endAttempt, settlingAttempt, subjectOfEmail } from './limit-attempts.ts';
import { openSession, type SignedIn, type SignInFrom } from './open-session.ts';
import type { PersonDeps } from './person-deps.ts';
import { requireSecondFactor } from './second-factor.ts';

const WRONG = 'The email address or the password is wrong.';

/** What a person who signs in by a password hands in. */
export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  /** Of the second factor, when the person has one: of the app, or a recovery code. */
  readonly code: string | null;
  /** Whether the session survives longer without use. */
  readonly remember: boolean;
  readonly from: SignInFrom;
}

/**
 * Signs a person in by email address and password, in the first of their tenants. Who is not known, who has no password and
 * who gave a wrong one are answered alike, after the same work.
 * @throws ApiProblem sign_in_failed; second_factor_required or second_factor_failed, after the right password alone;
 *   rate_limited after too many failures, also for the right password; overloaded
 */
export async function signInByPassword(deps: PersonDeps, input: PasswordSignIn): Promise<SignedIn> {
  const { rt, db, passwords } = deps;
  const account = subjectOfEmail(input.email);
  const attempt = await beginAttempt(rt, db, { account, address: input.from.address });
  return settlingAttempt(db, attempt, async () => {
    const person = await findCredentialsByEmail(db, input.email.trim());
    const isRight = await passwords.matches(person?.passwordHash ?? null, normalizePassword(input.password));
    if (person === null || !isRight) throw new ApiProblem('sign_in_failed', { sentence: WRONG });
    return db.transaction((tx) => enterByPassword(deps, tx, { ...input, person, attempt }));
  });
}

async function enterByPassword(
  { rt, keyring }: PersonDeps,
  tx: Transaction,
  input: PasswordSignIn & { readonly person: Credentials; readonly attempt: Attempt },
): Promise<SignedIn> {
  const { code, remember, from, attempt } = input;
  const person = await lockCredentials(tx, input.person.userId);
  // While it was compared, the password may have been changed, which ended all sessions: no new one may slip in.
  if (person === null || person.passwordHash !== input.person.passwordHash)
    throw new ApiProblem('sign_in_failed', { sentence: WRONG });
  const secondFactor = await requireSecondFactor({ rt, keyring }, tx, { person, code });
  const { userId } = person;
  const signedIn = await openSession(rt, tx, { userId, method: 'password', secondFactor, remember, from });
  await endAttempt(tx, attempt, person);
  return signedIn;
}
