import type {
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
  VerifyRegistrationResponseOpts,
} from '@simplewebauthn/server';
import { audit } from '#access/actions/audit';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { AgentId, PasskeyId, UserId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { CHALLENGE_MS, MAX_PASSKEYS, type Passkey } from '#users/domain/passkey';
import { deletePasskey, insertPasskey, listPasskeys, renamePasskey } from '#users/store/passkeys';
import { findUser, lockUser } from '#users/store/users';
import {
  bytesOf,
  loadWebAuthn,
  loadWebAuthnHelpers,
  makePasskeyChallenge,
  requireRelyingParty,
  takeAnsweredChallenge,
} from './passkey-challenges.ts';

/** What a person's authenticator shows beside the domain. */
const SERVICE_NAME = 'Postrider';
const TOO_MANY = `You already have ${MAX_PASSKEYS} passkeys. Remove one that you no longer use.`;
const REFUSED =
  'The answer of the authenticator is not valid: its challenge was used or is older than five minutes, or it was made for another address or without verifying you. Begin again.';
const KNOWN = 'This passkey is already registered.';
/** ES256 and RS256, which every authenticator has one of, and EdDSA. */
const ALGORITHMS = [-8, -7, -257];

/** A person who changes their passkeys, in which session. */
export interface PasskeyRequest extends Requester {
  readonly userId: UserId;
  readonly agentId: AgentId;
}

/**
 * What `navigator.credentials.create` needs to make a passkey for a person, as JSON.
 * @throws ApiProblem passkeys_unavailable, conflict when there are as many as there may be
 */
export async function beginPasskey(rt: Runtime, db: Database, userId: UserId): Promise<JsonObject> {
  const party = requireRelyingParty(rt);
  const user = requireFound(await findUser(db, userId));
  const known = await listPasskeys(db, userId);
  if (known.length >= MAX_PASSKEYS) throw new ApiProblem('conflict', { sentence: TOO_MANY });
  const challenge = await makePasskeyChallenge(rt, db, userId);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: SERVICE_NAME,
    rpID: party.id,
    userID: new TextEncoder().encode(userId),
    userName: user.email ?? user.name,
    userDisplayName: user.name,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
  return options as unknown as JsonObject;
}

/**
 * Adds the passkey that an authenticator has made for a challenge of this person.
 * @param credential what `navigator.credentials.create` returned, as JSON
 * @throws ApiProblem passkey_refused, conflict, passkeys_unavailable
 */
export async function addPasskey(
  rt: Runtime,
  db: Database,
  request: PasskeyRequest & { readonly name: string; readonly credential: JsonObject },
): Promise<Passkey> {
  const { userId, name } = request;
  const { credential, credentialBackedUp } = await verifyNewPasskey(rt, db, request);
  const passkey: Passkey = {
    passkeyId: rt.newId<PasskeyId>(),
    userId,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    name,
    backedUp: credentialBackedUp,
    createdMs: rt.clock.now(),
    lastUsedMs: null,
  };
  return db.transaction(async (tx) => {
    // One at a time, so that the limit holds.
    await lockUser(tx, userId);
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS)
      throw new ApiProblem('conflict', { sentence: TOO_MANY });
    if (!(await insertPasskey(tx, passkey))) throw new ApiProblem('passkey_refused', { sentence: KNOWN });
    await record(rt, tx, request, { action: 'passkey.added', name });
    return passkey;
  });
}

type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

async function verifyNewPasskey(
  rt: Runtime,
  db: Database,
  { userId, credential }: { readonly userId: UserId; readonly credential: JsonObject },
): Promise<NewCredential> {
  const party = requireRelyingParty(rt);
  const response = credential as unknown as RegistrationResponseJSON;
  const clientData: unknown = response.response?.clientDataJSON;
  const challenge = await takeAnsweredChallenge(rt, db, { clientData, userId });
  if (challenge === null) throw new ApiProblem('passkey_refused', { sentence: REFUSED });
  // Whatever does not fit makes the library throw.
  const verified = await verifyUncertified(response, {
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) throw new ApiProblem('passkey_refused', { sentence: REFUSED });
  return verified.registrationInfo;
}

/**
 * We ask for no certificates. Those of a caller would make the library ask the servers that they name whether they were
 * revoked, so an answer with any is refused.
 */
async function verifyUncertified(
  response: RegistrationResponseJSON,
  expected: Omit<VerifyRegistrationResponseOpts, 'response'>,
): Promise<VerifiedRegistrationResponse> {
  const { decodeAttestationObject } = await loadWebAuthnHelpers();
  const attestation = decodeAttestationObject(bytesOf(response.response.attestationObject));
  const isSelfSigned = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (attestation.get('fmt') !== 'none' && !isSelfSigned) return { verified: false };
  const { verifyRegistrationResponse } = await loadWebAuthn();
  return verifyRegistrationResponse({ response, ...expected });
}

/** @throws ApiProblem not_found when the person has no such passkey */
export function changePasskey(
  rt: Runtime,
  db: Database,
  request: PasskeyRequest & { readonly passkeyId: string; readonly name: string },
): Promise<Passkey> {
  const { userId, passkeyId, name } = request;
  return db.transaction(async (tx) => {
    const passkey = requireFound(await renamePasskey(tx, userId, passkeyId, name));
    await record(rt, tx, request, { action: 'passkey.changed', name });
    return passkey;
  });
}

/** Sessions that were begun with it go on. @throws ApiProblem not_found when the person has no such passkey */
export function removePasskey(
  rt: Runtime,
  db: Database,
  request: PasskeyRequest & { readonly passkeyId: string },
): Promise<void> {
  const { userId, passkeyId } = request;
  return db.transaction(async (tx) => {
    const { name } = requireFound(await deletePasskey(tx, userId, passkeyId));
    await record(rt, tx, request, { action: 'passkey.removed', name });
  });
}

async function record(
  rt: Runtime,
  tx: Transaction,
  { tenantId, origin, agentId }: PasskeyRequest,
  { action, name }: { readonly action: 'passkey.added' | 'passkey.changed' | 'passkey.removed'; readonly name: string },
): Promise<void> {
  await audit(rt, tx, { tenantId, origin, action, targetId: agentId, details: { name } });
}
