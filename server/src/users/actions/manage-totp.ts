import { randomBytes } from 'node:crypto';
import { ApiProblem, requireFound } from '#core/errors';
import type { UserId } from '#core/ids';
import type { Transaction } from '#database/database';
import { hashRecoveryCode, makeRecoveryCode, RECOVERY_CODES } from '#users/domain/recovery-code';
import { matchingStep, otpauthUri, toBase32 } from '#users/domain/totp';
import {
  type Credentials,
  confirmTotp,
  deleteTotp,
  lockCredentials,
  setRecoveryHashes,
  storeTotpSecret,
  useTotpStep,
} from '#users/store/credentials';
import { auditPerson } from './audit-person.ts';
import type { OwnChange } from './change-password.ts';
import { beginAttempt, endAttempt, settlingAttempt, subjectOfUser } from './limit-attempts.ts';
import type { PersonDeps } from './person-deps.ts';
import { newTotpSecret, openTotpSecret } from './totp-secret.ts';

const IN_USE = 'An authenticator app is set up already. Remove it first.';
const NOT_BEGUN = 'No authenticator app is being set up. Begin first.';
const NOT_IN_USE = 'No authenticator app is set up.';

/** A secret that was just made: shown once. */
export interface NewTotp {
  /** Base32, to be typed into an app. */
  readonly secret: string;
  /** The same for a QR code. */
  readonly uri: string;
}

/**
 * Makes a secret for the authenticator app of a person. It counts once the person has confirmed it; until then, another
 * call replaces it.
 * @throws ApiProblem conflict when an app is set up already; secrets_unavailable
 */
export function beginTotp({ rt, db, keyring }: PersonDeps, { session }: OwnChange): Promise<NewTotp> {
  return db.transaction(async (tx) => {
    const person = requireFound(await lockCredentials(tx, session.userId));
    if (person.totpConfirmedMs !== null) throw new ApiProblem('conflict', { sentence: IN_USE });
    const { secret, sealed } = newTotpSecret(keyring, person.userId);
    await storeTotpSecret(tx, person.userId, sealed, rt.clock.now());
    return { secret: toBase32(secret), uri: otpauthUri(secret, person.email ?? person.name) };
  });
}

/**
 * Takes the app into use: from now on, a code is asked for whenever the person signs in.
 * @returns recovery codes, shown once
 * @throws ApiProblem second_factor_failed for a wrong code; conflict when none was begun, or one is in use; rate_limited
 */
export async function confirmOwnTotp(
  deps: PersonDeps,
  change: OwnChange & { readonly code: string },
): Promise<readonly string[]> {
  const { rt, db } = deps;
  const { session, origin, code } = change;
  const attempt = await beginAttempt(rt, db, { account: subjectOfUser(session.userId), address: origin.address });
  return settlingAttempt(db, attempt, () =>
    db.transaction(async (tx) => {
      const person = requireFound(await lockCredentials(tx, session.userId));
      await takeIntoUse(deps, tx, person, code);
      await endAttempt(tx, attempt, person);
      await auditPerson(rt, tx, { userId: person.userId, action: 'user.totp_enabled', origin });
      return newRecoveryCodes(deps, tx, person.userId);
    }),
  );
}

async function takeIntoUse(
  { rt, keyring }: PersonDeps,
  tx: Transaction,
  person: Credentials,
  code: string,
): Promise<void> {
  if (person.totpConfirmedMs !== null) throw new ApiProblem('conflict', { sentence: IN_USE });
  if (person.totpSealed === null) throw new ApiProblem('conflict', { sentence: NOT_BEGUN });
  const secret = openTotpSecret(keyring, person);
  if (secret === null) throw new ApiProblem('secrets_unavailable');
  const nowMs = rt.clock.now();
  const step = matchingStep(secret, { code: code.replace(/\s/g, ''), nowMs, lastStep: person.totpStep });
  if (step === null) throw new ApiProblem('second_factor_failed');
  await useTotpStep(tx, person.userId, step);
  await confirmTotp(tx, person.userId, nowMs);
}

/**
 * Takes the second factor of a person away, recovery codes included.
 * @throws ApiProblem not_found when there is none
 */
export function removeTotp({ rt, db }: PersonDeps, { session, origin }: OwnChange): Promise<void> {
  return db.transaction(async (tx) => {
    const person = requireFound(await lockCredentials(tx, session.userId));
    if (person.totpConfirmedMs === null) throw new ApiProblem('not_found');
    await deleteTotp(tx, person.userId, rt.clock.now());
    await auditPerson(rt, tx, { userId: person.userId, action: 'user.totp_disabled', origin });
  });
}

/**
 * Makes new recovery codes; earlier ones stop working.
 * @returns the codes, shown once
 * @throws ApiProblem conflict without an authenticator app
 */
export function replaceRecoveryCodes(deps: PersonDeps, { session, origin }: OwnChange): Promise<readonly string[]> {
  const { rt, db } = deps;
  return db.transaction(async (tx) => {
    const person = requireFound(await lockCredentials(tx, session.userId));
    if (person.totpConfirmedMs === null) throw new ApiProblem('conflict', { sentence: NOT_IN_USE });
    await auditPerson(rt, tx, { userId: person.userId, action: 'user.recovery_codes_created', origin });
    return newRecoveryCodes(deps, tx, person.userId);
  });
}

async function newRecoveryCodes({ rt }: PersonDeps, tx: Transaction, userId: UserId): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(randomBytes));
  const hashes = codes.map((code) => hashRecoveryCode(userId, code));
  await setRecoveryHashes(tx, userId, hashes, rt.clock.now());
  return codes;
}
