import type { PersonSession } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import { isUuid, type TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { addressOf } from '#http/plugins/caller-address';
import { sessionCookie } from '#http/plugins/session-cookie';
import { deletedAnswer } from '#http/schemas/deleted';
import { faultExample } from '#http/schemas/errors';
import { problemOf } from '#http/validation/faults';
import { serviceVersion } from '#runtime/version';
import { changeMe, presentMe, presentSession, readMe } from '#users/actions/describe-me';
import { endOwnSession, signInByLink } from '#users/actions/sign-in';
import { SESSION_MS } from '#users/domain/user';
import { listSessions } from '#users/store/sessions';
import {
  ChangeMe,
  CreateSession,
  createSessionExamples,
  MeView,
  meExample,
  SessionIdParams,
  SessionList,
  sessionExample,
  sessionExampleId,
} from './schemas/me.ts';

/** What a browser calls itself is kept up to here. */
const MAX_USER_AGENT = 200;
const MAX_PREFERENCES_CHARACTERS = 16_384;

const createSessionRoute = defineOperation({
  method: 'POST',
  path: '/v1/sessions',
  operationId: 'createSession',
  summary: 'Sign in as a person',
  description:
    'Signs a person in: sets a cookie with which every other operation works, as the agent that the person is. The response shows who it is. Requests with the cookie that change something need the header Postrider-Client, with any value, and must come from a page of this service.',
  tag: 'People',
  scope: null,
  body: CreateSession,
  bodyExamples: createSessionExamples,
  answer: { status: 201, description: 'Who is signed in.', schema: MeView, example: meExample },
  errors: ['sign_in_failed'],
  handle: ({ rt, db, gate }) => {
    return async (request, reply) => {
      const tooMany = gate.signInLimit(addressOf(request));
      if (tooMany) throw tooMany;
      const { token: linkToken, remember = false } = request.body;
      const from = {
        requestId: request.id,
        address: addressOf(request),
        userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
      };
      const { session, token } = await signInByLink(rt, db, { token: linkToken, remember, from });
      reply.header('set-cookie', sessionCookie(request, token, remember ? SESSION_MS / 1000 : null));
      reply.header('cache-control', 'no-store');
      const me = await readMe(db, session);
      return presentMe(rt, serviceVersion(), me);
    };
  },
});

const getMeRoute = defineOperation({
  method: 'GET',
  path: '/v1/me',
  operationId: 'getMe',
  summary: 'Get the person who is signed in',
  description: 'Returns who is signed in, in which tenant, and what they may do there. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  answer: { status: 200, description: 'Who is signed in.', schema: MeView, example: meExample },
  handle: ({ rt, db }) => {
    return async (request) => presentMe(rt, serviceVersion(), await readMe(db, personOf(request)));
  },
});

const preferencesTooLong = faultExample('preferencesTooLong', 'validation_failed', {
  path: 'body.preferences',
  message: `The preferences are longer than ${MAX_PREFERENCES_CHARACTERS} characters as JSON.`,
});

const updateMeRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/me',
  operationId: 'updateMe',
  summary: 'Update the person who is signed in',
  description:
    'Changes the name of the person, or what the client keeps for them. Omitted fields stay unchanged. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  body: ChangeMe,
  bodyExamples: { theme: { summary: 'Keep a theme', value: { preferences: { theme: 'dark' } } } },
  answer: { status: 200, description: 'The person as they are now.', schema: MeView, example: meExample },
  errorExamples: [preferencesTooLong],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { name, preferences } = request.body;
      if (JSON.stringify(preferences ?? {}).length > MAX_PREFERENCES_CHARACTERS) {
        const message = `The preferences are longer than ${MAX_PREFERENCES_CHARACTERS} characters as JSON.`;
        throw problemOf([{ path: 'body.preferences', message }]);
      }
      const input = givenOnly({ name, preferences: preferences as JsonObject | undefined });
      return presentMe(rt, serviceVersion(), await changeMe(rt, db, personOf(request), input));
    };
  },
});

const listSessionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/sessions',
  operationId: 'listSessions',
  summary: 'List own sessions',
  description: 'Returns where the person is signed in, newest first, at most 100. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  answer: { status: 200, description: 'The open sessions.', schema: SessionList, example: { data: [sessionExample] } },
  handle: ({ rt, db }) => {
    return async (request) => {
      const { sessionId, userId } = personOf(request);
      const sessions = await listSessions(db, userId, rt.clock.now());
      return { data: sessions.map((session) => presentSession(session, sessionId)) };
    };
  },
});

const deleteSessionRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/sessions/:id',
  operationId: 'deleteSession',
  summary: 'End a session',
  description:
    'Ends a session of the person, everywhere within 2 seconds, its open streams included. `current` signs out: the cookie is removed, too. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  params: SessionIdParams,
  answer: deletedAnswer('The session has ended.', sessionExampleId),
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request, reply) => {
      const { sessionId: own, userId } = personOf(request);
      const asked = request.params.id.toLowerCase();
      const sessionId = asked === 'current' ? own : asked;
      if (!isUuid(sessionId)) throw new ApiProblem('not_found');
      await endOwnSession(rt, db, { userId, sessionId, origin: originOf(request) });
      if (sessionId === own) reply.header('set-cookie', sessionCookie(request, null, null));
      return { id: sessionId, status: 'deleted' };
    };
  },
});

/** In the order of the documentation. */
export const peopleOperations: readonly Operation[] = [
  createSessionRoute,
  getMeRoute,
  updateMeRoute,
  listSessionsRoute,
  deleteSessionRoute,
];

function personOf(request: Parameters<typeof principalOf>[0]): PersonSession & { readonly tenantId: TenantId } {
  const { tenantId, session } = principalOf(request);
  if (session === null) throw new ApiProblem('not_signed_in');
  return { tenantId, ...session };
}
