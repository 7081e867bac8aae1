import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, strictObject, text } from '#http/schemas/fields';

/** As long as an address may be (RFC 5321). */
const MAX_EMAIL = 254;

export const MailedView = Type.Object(
  {
    sent: Type.Boolean({ description: 'Whether the mail server took the mail. Whether it arrives is not known.' }),
    address: Type.String({ description: 'Where it was sent.' }),
    reason: nullableText(
      'Why it was not sent: no mail server is set up, too many mails went to this address within an hour, the mail server did not take it in time, or it does not want it. Null: it was sent.',
      { enum: ['not_configured', 'limited', 'unreachable', 'refused', null] },
    ),
  },
  named('ConfirmationMail', 'What became of a mail.'),
);

export const mailedExample: JsonObject = { sent: true, address: 'ana@shop.example', reason: null };

export const ConfirmEmail = strictObject('What the mail has brought.', {
  token: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Token of the link: what follows #confirm= in it.',
  }),
});

export const confirmEmailExamples = {
  token: { summary: 'Confirm', value: { token: 'q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE' } },
} as const;

export const CreateRecovery = strictObject('Whose password was forgotten.', {
  email: text(MAX_EMAIL, 'Email address that the person signs in with.'),
});

export const createRecoveryExamples = {
  email: { summary: 'By email', value: { email: 'ana@shop.example' } },
} as const;

export const RecoveryView = Type.Object(
  { status: choiceOf(['accepted'], 'The same for every address.') },
  named('Recovery', 'A request to recover an account. It does not say whether there is such an account.'),
);

export const recoveryExample: JsonObject = { status: 'accepted' };
