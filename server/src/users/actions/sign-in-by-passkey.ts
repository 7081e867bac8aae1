import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { CHALLENGE_MS, type Passkey } from '#users/domain/passkey';
import { findPasskeyOfCredential, recordPasskeyUse } from '#users/store/passkeys';
import { openSession, type SignedIn, type SignInFrom } from './open-session.ts';
import {
  bytesOf,
  loadWebAuthn,
  makePasskeyChallenge,
  requireRelyingParty,
  takeAnsweredChallenge,
} from './passkey-challenges.ts';

/** The same for every reason: whoever tries learns nothing about the passkeys of others. */
const NOT_ACCEPTED =
  'This passkey was not accepted. It may have been removed, or you took longer than five minutes. Try again, or sign in another way.';

/**
 * What `navigator.credentials.get` needs to sign in with any passkey for this service, as JSON.
 * @throws ApiProblem passkeys_unavailable
 */
export async function beginPasskeySignIn(rt: Runtime, db: Database): Promise<JsonObject> {
  const party = requireRelyingParty(rt);
  const challenge = await makePasskeyChallenge(rt, db, null);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  return options as unknown as JsonObject;
}

/**
 * Signs in the person whose passkey has signed a challenge, in the first of their tenants.
 * @param credential what `navigator.credentials.get` returned, as JSON
 * @throws ApiProblem sign_in_failed whatever is wrong with it, passkeys_unavailable
 */
export async function signInByPasskey(
  rt: Runtime,
  db: Database,
  request: { readonly credential: JsonObject; readonly remember: boolean; readonly from: SignInFrom },
): Promise<SignedIn> {
  const { remember, from } = request;
  const used = await verifyPasskey(rt, db, request.credential as unknown as AuthenticationResponseJSON);
  if (used === null) throw new ApiProblem('sign_in_failed', { sentence: NOT_ACCEPTED });
  return db.transaction(async (tx) => {
    if (!(await recordPasskeyUse(tx, used))) throw new ApiProblem('sign_in_failed', { sentence: NOT_ACCEPTED });
    return openSession(rt, tx, { userId: used.userId, remember, from, method: 'passkey' });
  });
}

/** @returns the passkey as this use leaves it; null: it is not to be accepted */
async function verifyPasskey(rt: Runtime, db: Database, response: AuthenticationResponseJSON): Promise<Passkey | null> {
  const party = requireRelyingParty(rt);
  const clientData: unknown = response.response?.clientDataJSON;
  const challenge = await takeAnsweredChallenge(rt, db, { clientData, userId: null });
  const passkey = typeof response.id === 'string' ? await findPasskeyOfCredential(db, response.id) : null;
  if (challenge === null || passkey === null || !isOfItsPerson(passkey, response)) return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: bytesOf(passkey.publicKey),
      counter: passkey.counter,
    },
    // Whatever does not fit makes the library throw, a counter that did not grow as well.
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter: counter, credentialBackedUp: backedUp } = verified.authenticationInfo;
  return { ...passkey, counter, backedUp, lastUsedMs: rt.clock.now() };
}

/** A discoverable passkey names the person that it was made for. */
function isOfItsPerson({ userId }: Passkey, { response }: AuthenticationResponseJSON): boolean {
  return response.userHandle === Buffer.from(userId).toString('base64url');
}
