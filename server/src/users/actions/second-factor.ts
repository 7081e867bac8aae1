import { ApiProblem } from '#core/errors';
import type { Transaction } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { hashRecoveryCode } from '#users/domain/recovery-code';
import { isTotpCode, matchingStep } from '#users/domain/totp';
import { type Credentials, setRecoveryHashes, useTotpStep } from '#users/store/credentials';
import { openTotpSecret } from './totp-secret.ts';

/** Whether a person is asked for a code besides what they sign in with. */
export function hasSecondFactor({ totpConfirmedMs }: Pick<Credentials, 'totpConfirmedMs'>): boolean {
  return totpConfirmedMs !== null;
}

/**
 * Asks for the second factor of a person who has one, and uses the code up.
 * @param person locked by the transaction
 * @returns how it was proved; null: this person has no second factor
 * @throws ApiProblem second_factor_required without a code, second_factor_failed for a wrong or used one
 */
export async function requireSecondFactor(
  { rt, keyring }: { readonly rt: Runtime; readonly keyring: Keyring },
  tx: Transaction,
  { person, code }: { readonly person: Credentials; readonly code: string | null },
): Promise<'totp' | 'recovery_code' | null> {
  if (!hasSecondFactor(person)) return null;
  if (code === null) throw new ApiProblem('second_factor_required');
  const typed = code.replace(/\s/g, '');
  return isTotpCode(typed) ? useTotp({ rt, keyring }, tx, person, typed) : useRecoveryCode(rt, tx, person, typed);
}

async function useTotp(
  { rt, keyring }: { readonly rt: Runtime; readonly keyring: Keyring },
  tx: Transaction,
  person: Credentials,
  code: string,
): Promise<'totp'> {
  const secret = openTotpSecret(keyring, person);
  if (secret === null) throw new ApiProblem('secrets_unavailable');
  const step = matchingStep(secret, { code, nowMs: rt.clock.now(), lastStep: person.totpStep });
  if (step === null) throw new ApiProblem('second_factor_failed');
  await useTotpStep(tx, person.userId, step);
  return 'totp';
}

async function useRecoveryCode(
  rt: Runtime,
  tx: Transaction,
  { userId, recoveryHashes }: Credentials,
  code: string,
): Promise<'recovery_code'> {
  const used = hashRecoveryCode(userId, code);
  if (!recoveryHashes.includes(used)) throw new ApiProblem('second_factor_failed');
  const left = recoveryHashes.filter((one) => one !== used);
  await setRecoveryHashes(tx, userId, left, rt.clock.now());
  return 'recovery_code';
}
