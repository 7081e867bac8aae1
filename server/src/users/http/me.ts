import { ApiProblem } from '#core/errors';
import { isUuid } from '#core/ids';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { isRecentSignIn, originOf } from '#http/plugins/auth';
import { sessionCookie } from '#http/plugins/session-cookie';
import { deletedAnswer } from '#http/schemas/deleted';
import { conflictExample, faultExample } from '#http/schemas/errors';
import { problemOf } from '#http/validation/faults';
import { serviceVersion } from '#runtime/version';
import { changeEmail } from '#users/actions/change-email';
import { changeMe, presentMe, presentSession, readMe } from '#users/actions/describe-me';
import { endOwnSession } from '#users/actions/sign-in';
import { notificationPreferencesFault } from '#users/domain/notification-preferences';
import { listSessions } from '#users/store/sessions';
import { credentialOperations } from './credentials.ts';
import { emailOperations } from './email-confirmation.ts';
import { ownChangeOf, signedInPerson } from './own-session.ts';
import { createRecoveryRoute } from './recovery.ts';
import {
  ChangeMe,
  MeView,
  meExample,
  SessionIdParams,
  SessionList,
  sessionExample,
  sessionExampleId,
} from './schemas/me.ts';
import { createSessionRoute } from './sign-in.ts';

const MAX_PREFERENCES_CHARACTERS = 16_384;

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
    return async (request) => presentMe(rt, serviceVersion(), await readMe(db, signedInPerson(request)));
  },
});

const preferencesTooLong = faultExample('preferencesTooLong', 'validation_failed', {
  path: 'body.preferences',
  message: `The preferences are longer than ${MAX_PREFERENCES_CHARACTERS} characters as JSON.`,
});

const emailTaken = conflictExample('emailTaken', 'Another person signs in with this email address.');

const updateMeRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/me',
  operationId: 'updateMe',
  summary: 'Update the person who is signed in',
  description:
    'Changes the name of the person, the email address that they sign in with, or what the client keeps for them. Omitted fields stay unchanged. The email address needs a sign-in within the last 10 minutes. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  body: ChangeMe,
  bodyExamples: { theme: { summary: 'Keep a theme', value: { preferences: { theme: 'dark' } } } },
  answer: { status: 200, description: 'The person as they are now.', schema: MeView, example: meExample },
  errors: ['sign_in_again', 'forbidden'],
  errorExamples: [preferencesTooLong, emailTaken],
  handle: ({ rt, db, people }) => {
    return async (request) => {
      const { name, email, preferences } = request.body;
      if (JSON.stringify(preferences ?? {}).length > MAX_PREFERENCES_CHARACTERS) {
        const message = `The preferences are longer than ${MAX_PREFERENCES_CHARACTERS} characters as JSON.`;
        throw problemOf([{ path: 'body.preferences', message }]);
      }
      const { notifications } = (preferences ?? {}) as JsonObject;
      const fault = notifications === undefined ? null : notificationPreferencesFault(notifications);
      if (fault !== null) {
        throw problemOf([{ path: `body.preferences.notifications${fault.at}`, message: fault.message }]);
      }
      const person = signedInPerson(request);
      if (email !== undefined) {
        if (!isRecentSignIn(rt.clock, person)) throw new ApiProblem('sign_in_again');
        await changeEmail(people, { ...(await ownChangeOf(db, request)), email: email.trim() });
      }
      const input = givenOnly({ name, preferences: preferences as JsonObject | undefined });
      return presentMe(rt, serviceVersion(), await changeMe(rt, db, person, input));
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
      const { sessionId, userId } = signedInPerson(request);
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
      const { sessionId: own, userId } = signedInPerson(request);
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
  createRecoveryRoute,
  getMeRoute,
  updateMeRoute,
  ...emailOperations,
  ...credentialOperations,
  listSessionsRoute,
  deleteSessionRoute,
];
