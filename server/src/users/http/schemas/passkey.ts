import Type from 'typebox';
import type { JsonObject } from '#core/json';
import {
  anyObject,
  named,
  nullableTime,
  optional,
  strictObject,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

const MAX_NAME = 100;
export const passkeyExampleId = '0190a6fb-3333-7222-8333-444455556666';
const credentialIdExample = 'Hy0Zk3vQmS1oTn8c';

export const PasskeyIdParams = Type.Object({ id: withExample(uuid('ID of the passkey.'), passkeyExampleId) });

export const PasskeyView = Type.Object(
  {
    id: uuid('ID of the passkey.'),
    name: Type.String({ description: 'What the person calls it.' }),
    backed_up: Type.Boolean({ description: 'Whether the authenticator keeps copies of it on other devices.' }),
    created_at: time(named('CreatedAt', 'When it was created.')),
    last_used_at: nullableTime('When somebody last signed in with it. Null: never.'),
  },
  named('Passkey', 'A key on a device or in a password manager of a person, with which they sign in.'),
);

export const PasskeyList = Type.Object(
  { data: Type.Array(PasskeyView, { description: 'Oldest first.' }) },
  named('PasskeyList', 'The passkeys of a person.'),
);

export const PasskeyChallengeView = Type.Object(
  {
    options: anyObject(
      'Options of WebAuthn as JSON: what `PublicKeyCredential.parseCreationOptionsFromJSON`, or `parseRequestOptionsFromJSON`, takes.',
    ),
    expires_at: time('Until when it can be answered, once.'),
  },
  named('PasskeyChallenge', 'What an authenticator has to sign.'),
);

const credential = () =>
  anyObject('Answer of the authenticator: the PublicKeyCredential as JSON, as its method `toJSON` returns it.');
const name = () => text(MAX_NAME, 'What the person calls it.');

export const AddPasskey = strictObject('The new passkey.', { name: name(), credential: credential() });
export const ChangePasskey = strictObject('What changes.', { name: name() });
export const CreatePasskeySession = strictObject('The answer to a challenge.', {
  credential: credential(),
  ...optional({
    remember: Type.Boolean({
      description: 'Whether the session stays usable for 30 days without use, instead of 12 hours. Default: false.',
    }),
  }),
});

export const passkeyExample: JsonObject = {
  id: passkeyExampleId,
  name: 'Laptop',
  backed_up: true,
  created_at: '2030-01-01T09:00:00.000Z',
  last_used_at: null,
};

export const newPasskeyChallengeExample: JsonObject = {
  options: {
    challenge: 'q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE',
    rp: { id: 'chat.example.com', name: 'Postrider' },
    user: { id: 'MDE5MGE2ZmItMjIyMg', name: 'ana@example.com', displayName: 'Ana Silva' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    timeout: 300_000,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  },
  expires_at: '2030-01-01T09:05:00.000Z',
};

export const passkeyChallengeExample: JsonObject = {
  options: {
    challenge: 'q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE',
    rpId: 'chat.example.com',
    timeout: 300_000,
    userVerification: 'required',
  },
  expires_at: '2030-01-01T09:05:00.000Z',
};

const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const credentialOf = (response: JsonObject): JsonObject => {
  return {
    id: credentialIdExample,
    rawId: credentialIdExample,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  };
};

export const addPasskeyExamples = {
  laptop: {
    summary: 'Of a laptop',
    value: { name: 'Laptop', credential: credentialOf({ clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' }) },
  },
};
export const createPasskeySessionExamples = {
  signed: {
    summary: 'The signed challenge',
    value: {
      credential: credentialOf({
        clientDataJSON,
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
        signature: 'MEUCIQDx',
        userHandle: 'MDE5MGE2ZmItMjIyMg',
      }),
    },
  },
};
