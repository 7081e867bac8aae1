import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { NO_NUL, named, optional, strictObject, text, viewOf } from '#http/schemas/fields';

const MAX_PASSWORD = 1_000;
const MAX_CODE = 20;

export const SetPassword = strictObject('The new password.', {
  new_password: Type.String({
    ...NO_NUL,
    minLength: 1,
    maxLength: MAX_PASSWORD,
    description: '12 to 256 characters that are not easy to guess.',
  }),
  ...optional({
    current_password: Type.String({
      ...NO_NUL,
      minLength: 1,
      maxLength: MAX_PASSWORD,
      description: 'The present password. Not needed within 10 minutes after signing in.',
    }),
  }),
});

export const setPasswordExamples = {
  change: {
    summary: 'Change it',
    value: { current_password: 'seven-quiet-lanterns-bloom', new_password: 'a river under four bridges' },
  },
  first: { summary: 'Set it after signing in', value: { new_password: 'seven-quiet-lanterns-bloom' } },
} as const;

export const ConfirmTotp = strictObject('A code of the app.', {
  code: text(MAX_CODE, 'The six digits that the app shows.'),
});

export const confirmTotpExamples = { code: { summary: 'The code of the app', value: { code: '492039' } } } as const;

export const NewTotpView = viewOf(named('NewTotp', 'A secret for an authenticator app. It is shown only this once.'), {
  secret: Type.String({ description: 'The secret in base32, to type into the app.' }),
  uri: Type.String({ description: 'The same as an otpauth URI, for a QR code.' }),
});

export const newTotpExample: JsonObject = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  uri: 'otpauth://totp/Postrider:ana%40shop.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Postrider&algorithm=SHA1&digits=6&period=30',
};

export const RecoveryCodesView = viewOf(named('RecoveryCodes', 'Codes that stand in for the app, once each.'), {
  codes: Type.Array(Type.String(), { description: 'Ten codes. They are shown only this once.' }),
});

export const recoveryCodesExample: JsonObject = {
  codes: [
    ...[
      'k7qf-2m9x-w4tb-ehs3',
      'p3xw-8nfa-c6rj-vd5m',
      'y9hb-4tqe-m2zs-g7uk',
      'd5ra-w8cv-3jpn-x6fi',
      'u2me-b7gs-9ykh-4qtc',
    ],
    ...[
      'f8nz-j3dw-p5va-r2xb',
      'c4tk-x9me-s7hq-6gyu',
      'w6pj-a2rf-8bnd-z3vs',
      'h7gy-q5uc-d4mx-k9ea',
      's3vb-n8jt-f2wk-5rpz',
    ],
  ],
};
