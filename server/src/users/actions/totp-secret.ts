import { randomBytes } from 'node:crypto';
import { ApiProblem } from '#core/errors';
import type { UserId } from '#core/ids';
import { openToken, type SealedToken, sealToken } from '#core/sealed-token';
import type { Keyring } from '#runtime/keyring';
import { TOTP_SECRET_BYTES } from '#users/domain/totp';
import type { Credentials } from '#users/store/credentials';

/** @throws ApiProblem secrets_unavailable when this service has no key to encrypt it with */
export function newTotpSecret(
  keyring: Keyring,
  userId: UserId,
): { readonly secret: Buffer; readonly sealed: SealedToken } {
  const key = keyring.current();
  if (key === null) throw new ApiProblem('secrets_unavailable');
  const secret = randomBytes(TOTP_SECRET_BYTES);
  return { secret, sealed: sealToken(key, ownerOf(userId), secret.toString('base64')) };
}

/** The secret of a person's app; null: there is none, or its key is not here. */
export function openTotpSecret(
  keyring: Keyring,
  { userId, totpSealed, totpKeyId }: Pick<Credentials, 'userId' | 'totpSealed' | 'totpKeyId'>,
): Buffer | null {
  const key = totpKeyId === null ? null : keyring.find(totpKeyId);
  if (key === null || totpSealed === null) return null;
  const text = openToken(key, ownerOf(userId), totpSealed);
  return text === null ? null : Buffer.from(text, 'base64');
}

/** The secret under the first key; null when it cannot be decrypted. */
export function resealTotpSecret(keyring: Keyring, person: Credentials): SealedToken | null {
  const key = keyring.current();
  const secret = openTotpSecret(keyring, person);
  return key === null || secret === null ? null : sealToken(key, ownerOf(person.userId), secret.toString('base64'));
}

/** A row copied to another person does not open there. */
function ownerOf(userId: UserId): string {
  return `totp/${userId}`;
}
