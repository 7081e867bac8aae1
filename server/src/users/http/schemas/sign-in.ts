import Type, { type Static } from 'typebox';
import { choiceOf, NO_NUL, named, optional, strictObject, text, uuid, VARIANTS } from '#http/schemas/fields';
import type { Variants } from '#http/validation/variants';

/** As long as an address may be (RFC 5321). */
const MAX_EMAIL = 254;
/** Far beyond a password that can be set: what is longer is not hashed. */
const MAX_PASSWORD = 1_000;
const MAX_CODE = 100;

const tokenExample = 'q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE';
const tenantExample = '0190a6f2-0000-7d54-9b3a-000000000002';

const code = text(
  MAX_CODE,
  'Code of the second factor, if the person has one: six digits of the authenticator app, or a recovery code.',
);
const remember = Type.Boolean({
  description: 'Whether the session stays usable for 30 days without use, instead of 12 hours. Default: false.',
});

const ByLink = strictObject(named('SignInByLink', 'Sign in with a one-time link.'), {
  method: choiceOf(['link'], 'With the token of a one-time link.'),
  token: Type.String({ minLength: 1, maxLength: 100, description: 'Token of the link: what follows #token= in it.' }),
  ...optional({ code, remember }),
});

const ByPassword = strictObject(named('SignInByPassword', 'Sign in with an email address and a password.'), {
  method: choiceOf(['password'], 'With an email address and a password.'),
  email: text(MAX_EMAIL, 'Email address of the person.'),
  password: Type.String({ ...NO_NUL, minLength: 1, maxLength: MAX_PASSWORD, description: 'Password of the person.' }),
  ...optional({ code, remember }),
});

const BySwitch = strictObject(named('SwitchTenant', 'Go on in another tenant of the person. Needs a session.'), {
  method: choiceOf(['switch'], 'With the session of the request, for another tenant.'),
  tenant_id: uuid('The tenant; `GET /v1/me` lists those that the person works in.'),
});

const schemas = { link: ByLink, password: ByPassword, switch: BySwitch } as const;
export type CreateSessionBody = Static<typeof ByLink> | Static<typeof ByPassword> | Static<typeof BySwitch>;

/** What `POST /v1/sessions` takes: `method` says how the person signs in. */
export const CreateSession = Type.Unsafe<CreateSessionBody>({
  oneOf: Object.values(schemas),
  description: 'How the person signs in; method determines which.',
  [VARIANTS]: {
    property: 'method',
    fallback: 'link',
    schemas,
    otherwise: Type.Object({ method: choiceOf(Object.keys(schemas), 'How the person signs in.') }),
  } satisfies Variants,
});

const password = { method: 'password', email: 'ana@shop.example', password: 'seven-quiet-lanterns-bloom' };

export const createSessionExamples = {
  password: { summary: 'With a password', value: password },
  secondFactor: { summary: 'With a second factor', value: { ...password, code: '492039' } },
  link: { summary: 'With a one-time link', value: { method: 'link', token: tokenExample } },
  remembered: { summary: 'And stay signed in', value: { method: 'link', token: tokenExample, remember: true } },
  switch: { summary: 'Switch to another tenant', value: { method: 'switch', tenant_id: tenantExample } },
} as const;
