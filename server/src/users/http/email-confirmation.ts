import { defineOperation, type Operation } from '#http/operation';
import { conflictExample } from '#http/schemas/errors';
import { NoBody } from '#http/schemas/parameters';
import { serviceVersion } from '#runtime/version';
import { presentMe, readMe } from '#users/actions/describe-me';
import { confirmOwnEmail, mailConfirmation } from '#users/actions/recovery/confirm-email';
import { ownChangeOf, signedInPerson } from './own-session.ts';
import { MeView, meExample } from './schemas/me.ts';
import { ConfirmEmail, confirmEmailExamples, MailedView, mailedExample } from './schemas/recovery.ts';

const forPeople = { tag: 'People', scope: null, session: true } as const;

const noEmail = conflictExample('noEmailToConfirm', 'Set your email address first.');
const confirmed = conflictExample('emailConfirmed', 'The email address is confirmed already.');
const notTheLink = conflictExample(
  'confirmationGone',
  'This link no longer works: it is too old, a later one replaced it, or the address was changed. Ask for another one.',
);

const sendEmailConfirmationRoute = defineOperation({
  ...forPeople,
  method: 'POST',
  path: '/v1/me/email/confirmation',
  operationId: 'sendEmailConfirmation',
  summary: 'Mail a link that confirms the own address',
  description:
    'Sends a link to the email address of the person, which confirms that it is theirs: within a day, in a browser in which they are signed in. Only a confirmed address can be used to recover the account. The link of an earlier mail stops working. At most 5 mails an hour go to an address. Needs a session.',
  body: NoBody,
  bodyIsOptional: true,
  answer: { status: 200, description: 'What became of the mail.', schema: MailedView, example: mailedExample },
  errors: ['forbidden'],
  errorExamples: [noEmail, confirmed],
  handle: ({ rt, db, mailer }) => {
    return async (request) => {
      const { session } = await ownChangeOf(db, request);
      const { address, failure } = await mailConfirmation(rt, db, { userId: session.userId, mailer });
      return { sent: failure === null, address, reason: failure };
    };
  },
});

const confirmEmailRoute = defineOperation({
  ...forPeople,
  method: 'PUT',
  path: '/v1/me/email/confirmation',
  operationId: 'confirmEmail',
  summary: 'Confirm the own address',
  description:
    'Takes the token of the latest mail that was sent to the email address of the person. From now on, a link to set a new password can be sent there. Needs a session of the same person.',
  body: ConfirmEmail,
  bodyExamples: confirmEmailExamples,
  answer: { status: 200, description: 'The person as they are now.', schema: MeView, example: meExample },
  errors: ['forbidden'],
  errorExamples: [notTheLink],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { session, origin } = await ownChangeOf(db, request);
      await confirmOwnEmail(rt, db, { userId: session.userId, token: request.body.token, origin });
      return presentMe(rt, serviceVersion(), await readMe(db, signedInPerson(request)));
    };
  },
});

/** In the order of the documentation. */
export const emailOperations: readonly Operation[] = [sendEmailConfirmationRoute, confirmEmailRoute];
