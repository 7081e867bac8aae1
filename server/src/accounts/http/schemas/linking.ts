import Type from 'typebox';
import { accountStatuses, linkErrors, linkStepNames, linkStepStates } from '#accounts/domain/linking';
import type { JsonObject } from '#core/json';
import {
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

const MAX_PLATFORM_CHARACTERS = 100;

export const PlatformParams = Type.Object({
  platform: withExample(
    text(MAX_PLATFORM_CHARACTERS, 'Configured name of the network owner, or `platform`.'),
    'platform',
  ),
});

export const LinkUrl = Type.Object(
  {
    url: Type.String({
      description: 'URL of the dialog, to be opened in the browser of the person who links the account.',
    }),
    state: Type.String({ description: 'State that the dialog returns. It works once, for this tenant.' }),
    expires_at: time('When the state expires.'),
  },
  named('LinkUrl', 'Where to link a network account.'),
);

const LinkStepView = Type.Object(
  {
    step: choiceOf(
      linkStepNames,
      'exchange: exchanges the code for a token. inspect: checks what the token allows. subscribe: subscribes to the callbacks of an account. numbers: lists the numbers of an account. register: registers a number so that it can send.',
    ),
    target: nullableText('Network account or number that the step applies to. Null for the permission.'),
    state: choiceOf(linkStepStates, 'State of the step.'),
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    at: nullableTime('Time of the last attempt.'),
    error: nullableObject('Why it failed.', {
      code: choiceOf(Object.keys(linkErrors), 'Stable code of the failure.'),
      message: { type: 'string', description: 'One sentence for people.' },
      network_code: { type: ['integer', 'null'], description: "The network's error code." },
      retryable: { type: 'boolean', description: 'Whether retrying can help.' },
    }),
  },
  named('LinkStep', 'A step of linking.'),
);

export const AccountView = Type.Object(
  {
    id: uuid('ID of the linked account.'),
    status: choiceOf(
      accountStatuses,
      'linked: all steps are complete. linking: steps are running. incomplete: run the steps again. failed: open the dialog again. replaced: a later link took over.',
    ),
    network_account_ids: Type.Array(Type.String(), { description: 'Network accounts that it has access to.' }),
    token_expires_at: nullableTime('When its access token expires. Null if it never expires, or there is none.'),
    steps: Type.Array(LinkStepView, { description: 'Steps of linking, in order.' }),
    created_at: time('When the person returned from the dialog.'),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
    replaced_at: nullableTime('When a later link replaced it.'),
  },
  named('Account', 'A linked account, without its access token.'),
);

export const accountExampleId = '0190a6f7-1111-7222-8333-444455556666';

export const AccountIdParams = Type.Object({
  id: withExample(uuid('ID of the linked account.'), accountExampleId),
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
