import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { UserId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import { defineOperation, type Operation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { addressOf } from '#http/plugins/caller-address';
import { deletedAnswer } from '#http/schemas/deleted';
import { conflictExample } from '#http/schemas/errors';
import { NoBody } from '#http/schemas/parameters';
import { formatRfc3339 } from '#http/validation/rfc3339';
import {
  addPasskey,
  beginPasskey,
  changePasskey,
  type PasskeyRequest,
  removePasskey,
} from '#users/actions/manage-passkeys';
import { requireOwnSignIn } from '#users/actions/require-own-sign-in';
import { beginPasskeySignIn, signInByPasskey } from '#users/actions/sign-in-by-passkey';
import { CHALLENGE_MS, MAX_PASSKEYS, type Passkey } from '#users/domain/passkey';
import { listPasskeys } from '#users/store/passkeys';
import { answerSignedIn } from './answer-signed-in.ts';
import { signInFrom } from './own-session.ts';
import { MeView, meExample } from './schemas/me.ts';
import {
  AddPasskey,
  addPasskeyExamples,
  ChangePasskey,
  CreatePasskeySession,
  createPasskeySessionExamples,
  newPasskeyChallengeExample,
  PasskeyChallengeView,
  PasskeyIdParams,
  PasskeyList,
  PasskeyView,
  passkeyChallengeExample,
  passkeyExample,
  passkeyExampleId,
} from './schemas/passkey.ts';

const tooManyPasskeys = conflictExample(
  'tooManyPasskeys',
  `You already have ${MAX_PASSKEYS} passkeys. Remove one that you no longer use.`,
);

const createPasskeyChallengeRoute = defineOperation({
  method: 'POST',
  path: '/v1/passkeys/challenge',
  operationId: 'createPasskeyChallenge',
  summary: 'Begin to sign in with a passkey',
  description:
    'Returns what an authenticator has to sign, once, within five minutes. It names nobody: the person chooses one of their passkeys for this service.',
  tag: 'People',
  scope: null,
  body: NoBody,
  bodyIsOptional: true,
  answer: {
    status: 201,
    description: 'What to sign.',
    schema: PasskeyChallengeView,
    example: passkeyChallengeExample,
  },
  errors: ['passkeys_unavailable'],
  handle: ({ rt, db, gate }) => {
    return async (request, reply) => {
      const tooMany = gate.signInLimit(addressOf(request));
      if (tooMany) throw tooMany;
      reply.header('cache-control', 'no-store');
      return { options: await beginPasskeySignIn(rt, db), expires_at: formatRfc3339(rt.clock.now() + CHALLENGE_MS) };
    };
  },
});

const createPasskeySessionRoute = defineOperation({
  method: 'POST',
  path: '/v1/passkeys/sessions',
  operationId: 'createPasskeySession',
  summary: 'Sign in with a passkey',
  description:
    'Signs the person in whose passkey has signed a challenge, as POST /v1/sessions does: sets the cookie, and shows who it is. The authenticator must have verified the person, by a fingerprint or a PIN.',
  tag: 'People',
  scope: null,
  body: CreatePasskeySession,
  bodyExamples: createPasskeySessionExamples,
  answer: { status: 201, description: 'Who is signed in.', schema: MeView, example: meExample },
  errors: ['sign_in_failed', 'sso_required', 'passkeys_unavailable'],
  handle: ({ rt, db, gate }) => {
    return async (request, reply) => {
      const tooMany = gate.signInLimit(addressOf(request));
      if (tooMany) throw tooMany;
      const { credential, remember = false } = request.body;
      const signedIn = await signInByPasskey(rt, db, { credential, remember, from: await signInFrom(gate, request) });
      return answerSignedIn({ rt, db }, { request, reply }, signedIn);
    };
  },
});

const listPasskeysRoute = defineOperation({
  method: 'GET',
  path: '/v1/me/passkeys',
  operationId: 'listPasskeys',
  summary: 'List own passkeys',
  description: 'Returns the passkeys with which the person can sign in. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  answer: { status: 200, description: 'The passkeys.', schema: PasskeyList, example: { data: [passkeyExample] } },
  handle: ({ db }) => {
    return async (request) => ({ data: (await listPasskeys(db, personOf(request))).map(presentPasskey) });
  },
});

const createOwnPasskeyChallengeRoute = defineOperation({
  method: 'POST',
  path: '/v1/me/passkeys/challenge',
  operationId: 'createOwnPasskeyChallenge',
  summary: 'Begin to add a passkey',
  description:
    'Returns what an authenticator needs to make a passkey for the person; it is good once, for five minutes. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  recentSignIn: true,
  body: NoBody,
  bodyIsOptional: true,
  answer: {
    status: 201,
    description: 'What the authenticator needs.',
    schema: PasskeyChallengeView,
    example: newPasskeyChallengeExample,
  },
  errors: ['forbidden', 'passkeys_unavailable'],
  errorExamples: [tooManyPasskeys],
  handle: ({ rt, db }) => {
    return async (request, reply) => {
      const options = await beginPasskey(rt, db, (await changeOf(db, request)).userId);
      reply.header('cache-control', 'no-store');
      return { options, expires_at: formatRfc3339(rt.clock.now() + CHALLENGE_MS) };
    };
  },
});

const addPasskeyRoute = defineOperation({
  method: 'POST',
  path: '/v1/me/passkeys',
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  description: 'Adds the passkey that an authenticator has made for the challenge. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  recentSignIn: true,
  body: AddPasskey,
  bodyExamples: addPasskeyExamples,
  answer: { status: 201, description: 'The passkey.', schema: PasskeyView, example: passkeyExample },
  errors: ['forbidden', 'passkey_refused', 'passkeys_unavailable'],
  errorExamples: [tooManyPasskeys],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { name, credential } = request.body;
      return presentPasskey(await addPasskey(rt, db, { ...(await changeOf(db, request)), name, credential }));
    };
  },
});

const updatePasskeyRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/me/passkeys/:id',
  operationId: 'updatePasskey',
  summary: 'Rename a passkey',
  description: 'Renames a passkey of the person. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  recentSignIn: true,
  params: PasskeyIdParams,
  body: ChangePasskey,
  bodyExamples: { phone: { summary: 'Another name', value: { name: 'Phone' } } },
  answer: { status: 200, description: 'The passkey as it is now.', schema: PasskeyView, example: passkeyExample },
  errors: ['forbidden', 'not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const passkeyId = request.params.id.toLowerCase();
      return presentPasskey(
        await changePasskey(rt, db, { ...(await changeOf(db, request)), passkeyId, name: request.body.name }),
      );
    };
  },
});

const deletePasskeyRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/me/passkeys/:id',
  operationId: 'deletePasskey',
  summary: 'Remove a passkey',
  description:
    'Removes a passkey of the person: it signs nobody in any more. Sessions that were begun with it go on. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  recentSignIn: true,
  params: PasskeyIdParams,
  answer: deletedAnswer('The passkey was removed.', passkeyExampleId),
  errors: ['forbidden', 'not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const passkeyId = request.params.id.toLowerCase();
      await removePasskey(rt, db, { ...(await changeOf(db, request)), passkeyId });
      return { id: passkeyId, status: 'deleted' };
    };
  },
});

/** In the order of the documentation. */
export const passkeyOperations: readonly Operation[] = [
  createPasskeyChallengeRoute,
  createPasskeySessionRoute,
  listPasskeysRoute,
  createOwnPasskeyChallengeRoute,
  addPasskeyRoute,
  updatePasskeyRoute,
  deletePasskeyRoute,
];

/** Who changes their passkeys. @throws ApiProblem forbidden when the session was begun by single sign-on */
async function changeOf(db: Database, request: FastifyRequest): Promise<PasskeyRequest> {
  const { tenantId, session, agentId } = principalOf(request);
  // A session always acts for an agent.
  if (session === null || agentId === null) throw new ApiProblem('not_signed_in');
  await requireOwnSignIn(db, tenantId, session.sessionId);
  return { tenantId, userId: session.userId, agentId, origin: originOf(request) };
}

function personOf(request: FastifyRequest): UserId {
  const { session } = principalOf(request);
  if (session === null) throw new ApiProblem('not_signed_in');
  return session.userId;
}

function presentPasskey({ passkeyId, name, backedUp, createdMs, lastUsedMs }: Passkey): JsonObject {
  return {
    id: passkeyId,
    name,
    backed_up: backedUp,
    created_at: formatRfc3339(createdMs),
    last_used_at: lastUsedMs === null ? null : formatRfc3339(lastUsedMs),
  };
}
