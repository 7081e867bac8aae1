import { ApiProblem } from '#core/errors';
import type { UserId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { CHALLENGE_MS, type RelyingParty, relyingPartyOf } from '#users/domain/passkey';
import { insertPasskeyChallenge, takePasskeyChallenge } from '#users/store/passkey-challenges';
import { hashToken, makeToken } from './authenticate-session.ts';
import { publicOrigin } from './sign-in.ts';

/** @throws ApiProblem passkeys_unavailable when browsers make none for the address of this service */
export function requireRelyingParty({ config }: Pick<Runtime, 'config'>): RelyingParty {
  const party = relyingPartyOf(publicOrigin(config));
  if (typeof party === 'string') throw new ApiProblem('passkeys_unavailable', { sentence: party });
  return party;
}

/**
 * Makes a challenge and stores it, for one answer within five minutes.
 * @param userId whom it is for; null: for whoever signs in
 * @returns the challenge in base64url
 */
export async function makePasskeyChallenge(rt: Runtime, db: Database, userId: UserId | null): Promise<string> {
  const challenge = makeToken();
  const expiresMs = rt.clock.now() + CHALLENGE_MS;
  await insertPasskeyChallenge(db, { challengeHash: hashToken(challenge), userId, expiresMs });
  return challenge;
}

/**
 * Uses up the challenge that an authenticator has signed.
 * @param clientData `clientDataJSON` of its answer, in base64url
 * @returns the challenge; null: none was made for this, or it was used, or its time is over
 */
export async function takeAnsweredChallenge(
  rt: Runtime,
  db: Database,
  { clientData, userId }: { readonly clientData: unknown; readonly userId: UserId | null },
): Promise<string | null> {
  const challenge = challengeIn(clientData);
  if (challenge === null) return null;
  const isOpen = await takePasskeyChallenge(db, { challengeHash: hashToken(challenge), userId }, rt.clock.now());
  return isOpen ? challenge : null;
}

function challengeIn(clientData: unknown): string | null {
  if (typeof clientData !== 'string') return null;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      readonly challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * Loads the library that makes and verifies passkeys. With its parsers of certificates it takes a sixth of the time in
 * which the service loads its modules, so the first use of a passkey loads it.
 */
export const loadWebAuthn = (): Promise<typeof import('@simplewebauthn/server')> => import('@simplewebauthn/server');

/** Loads the helpers of the same library. */
export const loadWebAuthnHelpers = (): Promise<typeof import('@simplewebauthn/server/helpers')> =>
  import('@simplewebauthn/server/helpers');

/** Decodes base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'));
}
