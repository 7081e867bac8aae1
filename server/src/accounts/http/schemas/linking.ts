import Type from 'typebox';
import { accountStatuses, linkErrors, linkStepNames, linkStepStates } from '#accounts/domain/linking';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableTime, text, time, uuid, withExample } from '#http/schemas/fields';

const MAX_PLATFORM_CHARACTERS = 100;
type LinkErrorName = keyof typeof linkErrors;

export const PlatformParams = Type.Object({
  platform: withExample(
    text(MAX_PLATFORM_CHARACTERS, 'Name of the network owner as it is configured, or `platform`.'),
    'platform',
  ),
});

export const LinkUrl = Type.Object(
  {
    url: Type.String({ description: 'Address of the dialog, to be opened in the browser of the person who links.' }),
    state: Type.String({ description: 'What the dialog gives back. It works once, for this tenant.' }),
    expires_at: time('When the state ends.'),
  },
  named('LinkUrl', 'Where an account of the network is linked.'),
);

const LinkStepView = Type.Object(
  {
    step: choiceOf(
      linkStepNames,
      'exchange: the code for a token. inspect: what the token is good for. subscribe: callbacks of an account. numbers: the numbers of an account. register: a number, which then sends.',
    ),
    target: nullableText('The account or the number of the network that the step is about; null: the permission.'),
    state: choiceOf(linkStepStates, 'How far it has come.'),
    attempts: Type.Integer({ description: 'How often it was tried.' }),
    at: nullableTime('When it was last tried.'),
    error: Type.Unsafe<JsonObject | null>({
      type: ['object', 'null'],
      description: 'Why it failed.',
      properties: {
        code: choiceOf(Object.keys(linkErrors) as LinkErrorName[], 'Stable code of the failure.'),
        message: { type: 'string', description: 'One sentence for a person.' },
        network_code: { type: ['integer', 'null'], description: 'The error code of the network.' },
        retryable: { type: 'boolean', description: 'Whether running it again can help.' },
      },
      required: ['code', 'message', 'network_code', 'retryable'],
    }),
  },
  named('LinkStep', 'A step of linking.'),
);

export const AccountView = Type.Object(
  {
    id: uuid('Identifier of the linked account.'),
    status: choiceOf(
      accountStatuses,
      'linked: every step is done. linking: steps are being run. incomplete: run the steps again. failed: open the dialog again. replaced: a later link took over.',
    ),
    network_account_ids: Type.Array(Type.String(), { description: 'The accounts of the network that it reaches.' }),
    token_expires_at: nullableTime('When its access token ends by itself; null: never, or there is none.'),
    steps: Type.Array(LinkStepView, { description: 'What linking consists of, in its order.' }),
    created_at: time('When the person came back from the dialog.'),
    updated_at: time('When it last changed.'),
    replaced_at: nullableTime('When a later link took over.'),
  },
  named('Account', 'A linked account: the permission that a person gave, never its token.'),
);

export const accountExampleId = '0190a6f7-1111-7222-8333-444455556666';

export const AccountIdParams = Type.Object({
  id: withExample(uuid('Identifier of the linked account.'), accountExampleId),
});

const at = '2030-01-01T09:00:00.000Z';
const done = { state: 'done', attempts: 1, at, error: null };

export const linkUrlExample: JsonObject = {
  url: 'https://www.facebook.com/v25.0/dialog/oauth?client_id=1000000000000001&redirect_uri=https%3A%2F%2Fmessages.example%2Fv1%2Fmeta%2Foauth%2Fcallback&response_type=code&override_default_response_type=true&state=0190a6f2-…&extras=%7B%22setup%22%3A%7B%7D%2C%22version%22%3A%22v4%22%7D',
  state: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01.0190a6f7-….1893488400000.Zk3v…',
  expires_at: '2030-01-01T09:10:00.000Z',
};

export const accountExample: JsonObject = {
  id: accountExampleId,
  status: 'linked',
  network_account_ids: ['300400500600'],
  token_expires_at: '2030-03-02T09:00:00.000Z',
  steps: [
    { step: 'exchange', target: null, ...done },
    { step: 'inspect', target: null, ...done },
    { step: 'subscribe', target: '300400500600', ...done },
    { step: 'numbers', target: '300400500600', ...done },
    { step: 'register', target: '106540352242922', ...done },
  ],
  created_at: at,
  updated_at: at,
  replaced_at: null,
};
