import { ApiProblem } from '#core/errors';
import { defineOperation, type Operation } from '#http/operation';
import { isRecentSignIn } from '#http/plugins/auth';
import { deletedAnswer } from '#http/schemas/deleted';
import { conflictExample, faultExample } from '#http/schemas/errors';
import { NoBody } from '#http/schemas/parameters';
import { problemOf } from '#http/validation/faults';
import { serviceVersion } from '#runtime/version';
import { changePassword, deletePassword, PasswordRefused } from '#users/actions/change-password';
import { presentMe, readMe } from '#users/actions/describe-me';
import { beginTotp, confirmOwnTotp, removeTotp, replaceRecoveryCodes } from '#users/actions/manage-totp';
import { ownChangeOf, signedInPerson } from './own-session.ts';
import {
  ConfirmTotp,
  confirmTotpExamples,
  NewTotpView,
  newTotpExample,
  RecoveryCodesView,
  recoveryCodesExample,
  SetPassword,
  setPasswordExamples,
} from './schemas/credentials.ts';
import { MeView, meExample, userExampleId } from './schemas/me.ts';

const forPeople = { tag: 'People', scope: null, session: true } as const;

const tooShort = faultExample('passwordTooShort', 'validation_failed', {
  path: 'body.new_password',
  message: 'The password must have at least 12 characters.',
});
const noEmail = conflictExample('noEmail', 'Set your email address first: you sign in with both.');
const onlyWay = conflictExample(
  'onlyWayIn',
  'The password is your only way to sign in by yourself. Add another one first.',
);
const inUse = conflictExample('totpInUse', 'An authenticator app is set up already. Remove it first.');
const notBegun = conflictExample('totpNotBegun', 'No authenticator app is being set up. Begin first.');
const notInUse = conflictExample('totpNotInUse', 'No authenticator app is set up.');

const setPasswordRoute = defineOperation({
  ...forPeople,
  method: 'PUT',
  path: '/v1/me/password',
  operationId: 'setPassword',
  summary: 'Set the own password',
  description:
    'Sets or changes the password of the person. Needs the present one, unless the person has signed in within the last 10 minutes. All other sessions of the person end, and links that were made for them stop working. Needs a session.',
  body: SetPassword,
  bodyExamples: setPasswordExamples,
  answer: { status: 200, description: 'The person as they are now.', schema: MeView, example: meExample },
  errors: ['forbidden', 'wrong_password', 'sign_in_again', 'overloaded'],
  errorExamples: [tooShort, noEmail],
  handle: ({ rt, db, people }) => {
    return async (request) => {
      const { new_password: newPassword, current_password: currentPassword = null } = request.body;
      const person = signedInPerson(request);
      if (currentPassword === null && !isRecentSignIn(rt.clock, person)) throw new ApiProblem('sign_in_again');
      await changePassword(people, { ...(await ownChangeOf(db, request)), newPassword, currentPassword }).catch(
        (error) => {
          if (!(error instanceof PasswordRefused)) throw error;
          throw problemOf([{ path: 'body.new_password', message: error.message }]);
        },
      );
      return presentMe(rt, serviceVersion(), await readMe(db, person));
    };
  },
});

const deletePasswordRoute = defineOperation({
  ...forPeople,
  method: 'DELETE',
  path: '/v1/me/password',
  operationId: 'deletePassword',
  summary: 'Delete the own password',
  description:
    'Takes the password of the person away. It is refused while the person has no other way to sign in without a link. Needs a session.',
  recentSignIn: true,
  answer: deletedAnswer('The password is gone.', userExampleId),
  errors: ['forbidden', 'not_found'],
  errorExamples: [onlyWay],
  handle: ({ db, people }) => {
    return async (request) => {
      await deletePassword(people, await ownChangeOf(db, request));
      return { id: signedInPerson(request).userId, status: 'deleted' };
    };
  },
});

const beginTotpRoute = defineOperation({
  ...forPeople,
  method: 'POST',
  path: '/v1/me/totp',
  operationId: 'beginTotp',
  summary: 'Begin to set up an authenticator app',
  description:
    'Makes a secret for an authenticator app (TOTP). It counts once a code of the app has confirmed it; until then, another request replaces it. Needs a session.',
  recentSignIn: true,
  body: NoBody,
  bodyIsOptional: true,
  answer: { status: 201, description: 'The secret.', schema: NewTotpView, example: newTotpExample },
  errors: ['forbidden', 'secrets_unavailable'],
  errorExamples: [inUse],
  handle: ({ db, people }) => {
    return async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { ...(await beginTotp(people, await ownChangeOf(db, request))) };
    };
  },
});

const confirmTotpRoute = defineOperation({
  ...forPeople,
  method: 'POST',
  path: '/v1/me/totp/confirm',
  operationId: 'confirmTotp',
  summary: 'Take an authenticator app into use',
  description:
    'Confirms that the app knows the secret. From now on, signing in with a password or a link also needs a code of the app, or one of the recovery codes that the response shows. Needs a session.',
  recentSignIn: true,
  body: ConfirmTotp,
  bodyExamples: confirmTotpExamples,
  answer: { status: 200, description: 'Recovery codes.', schema: RecoveryCodesView, example: recoveryCodesExample },
  errors: ['forbidden', 'second_factor_failed', 'secrets_unavailable'],
  errorExamples: [notBegun],
  handle: ({ db, people }) => {
    return async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return {
        codes: [...(await confirmOwnTotp(people, { ...(await ownChangeOf(db, request)), code: request.body.code }))],
      };
    };
  },
});

const deleteTotpRoute = defineOperation({
  ...forPeople,
  method: 'DELETE',
  path: '/v1/me/totp',
  operationId: 'deleteTotp',
  summary: 'Remove the authenticator app',
  description: 'Takes the second factor of the person away, recovery codes included. Needs a session.',
  recentSignIn: true,
  answer: deletedAnswer('The second factor is gone.', userExampleId),
  errors: ['forbidden', 'not_found'],
  handle: ({ db, people }) => {
    return async (request) => {
      await removeTotp(people, await ownChangeOf(db, request));
      return { id: signedInPerson(request).userId, status: 'deleted' };
    };
  },
});

const createRecoveryCodesRoute = defineOperation({
  ...forPeople,
  method: 'POST',
  path: '/v1/me/recovery-codes',
  operationId: 'createRecoveryCodes',
  summary: 'Create new recovery codes',
  description: 'Makes ten new recovery codes; earlier ones stop working. Needs a session.',
  recentSignIn: true,
  body: NoBody,
  bodyIsOptional: true,
  answer: { status: 201, description: 'The codes.', schema: RecoveryCodesView, example: recoveryCodesExample },
  errors: ['forbidden'],
  errorExamples: [notInUse],
  handle: ({ db, people }) => {
    return async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { codes: [...(await replaceRecoveryCodes(people, await ownChangeOf(db, request)))] };
    };
  },
});

/** In the order of the documentation. */
export const credentialOperations: readonly Operation[] = [
  setPasswordRoute,
  deletePasswordRoute,
  beginTotpRoute,
  confirmTotpRoute,
  deleteTotpRoute,
  createRecoveryCodesRoute,
];
