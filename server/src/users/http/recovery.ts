import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { addressOf } from '#http/plugins/caller-address';
import { conflictExample } from '#http/schemas/errors';
import { countRecovery, mailRecovery } from '#users/actions/recovery/recover-account';
import { CreateRecovery, createRecoveryExamples, RecoveryView, recoveryExample } from './schemas/recovery.ts';

const NO_MAIL = 'This service has no mail server. Ask an administrator for a sign-in link.';

export const createRecoveryRoute = defineOperation({
  method: 'POST',
  path: '/v1/recoveries',
  operationId: 'createRecovery',
  summary: 'Recover an account whose password was forgotten',
  description:
    'Sends a link to the email address, if a person signs in with it and has confirmed that it is theirs. The link signs them in once, within 30 minutes, and ends their other sessions; their second factor is still asked for. The response is the same for every address, and comes before anything is looked up. After 10 requests for one address within 15 minutes, or 50 from one place, further ones are refused with 429. At most 5 mails an hour go to an address.',
  tag: 'People',
  scope: null,
  body: CreateRecovery,
  bodyExamples: createRecoveryExamples,
  answer: { status: 202, description: 'It was accepted.', schema: RecoveryView, example: recoveryExample },
  errors: ['rate_limited'],
  errorExamples: [conflictExample('noMailServer', NO_MAIL)],
  handle: ({ rt, db, gate, mailer }) => {
    return async (request) => {
      const address = addressOf(request);
      const tooMany = gate.signInLimit(address);
      if (tooMany) throw tooMany;
      if (mailer === null) throw new ApiProblem('conflict', { sentence: NO_MAIL });
      const asked = { email: request.body.email, requestId: request.id, address };
      await countRecovery(rt, db, asked);
      // Nobody waits for it: the time of the answer would say whether there is such an account.
      void mailRecovery(rt, db, { ...asked, mailer }).catch((error: Error) =>
        rt.log.warn({ error: error.message, requestId: request.id }, 'recovery.failed'),
      );
      return { status: 'accepted' };
    };
  },
});
