import Type, { type Static } from 'typebox';
import { scopeNames, scopes } from '#core/caller/scopes';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import {
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  phoneNumberId,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

/** Faster than any client; a limit above it is none. */
const MAX_RATE = 100_000;
const MAX_NAME = 100;
/** The longest IPv6 network. */
const MAX_NETWORK = 50;
/** Each is compared with each request. */
const MAX_NETWORKS = 50;
const MAX_NUMBERS = 100;
const YEAR_S = 366 * 24 * 60 * 60;
/** Long enough to roll a key out by hand, short enough not to be forgotten. */
export const DEFAULT_KEY_OVERLAP_S = 60 * 60;
export const keyModes = ['live', 'test'] as const;
export const keyStatuses = ['active', 'expired', 'revoked'] as const;

const scopeHelp = Object.entries(scopes).map(([name, meaning]) => `${name}: ${meaning}`);

const shared = {
  id: uuid('Identifier of the key.'),
  name: Type.String({ description: 'What it is for.' }),
  mode: choiceOf(keyModes, named('ApiKeyMode', 'A test key sends to the simulator alone.')),
  hint: Type.String({ description: 'The first characters, to tell keys apart.' }),
  status: choiceOf(keyStatuses, named('ApiKeyStatus', 'Only an active key works.')),
  scopes: Type.Array(Type.String(), { description: 'What it may do. Empty: everything.' }),
  rate_limit: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Requests per second. null: the default of the installation; 0: no limit.',
  }),
  agent_id: nullableUuid('The agent that it acts for; null: none in particular.'),
  allowed_ips: Type.Array(Type.String(), {
    description: 'Addresses and networks that it may be used from. Empty: any that the tenant allows.',
  }),
  phone_number_ids: Type.Array(Type.String(), {
    description: 'The sending numbers that it is limited to. Empty: all of the tenant.',
  }),
  created_at: time('When it was made.'),
  expires_at: nullableTime('When it ends by itself, or ended.'),
  revoked_at: nullableTime('When it was revoked.'),
  last_used_at: nullableTime('When it was last used, to the minute.'),
};

export const ApiKeyView = Type.Object(shared, named('ApiKey', 'An API key, without the key itself.'));

/** `key` is null in a repetition: the key is stored nowhere. */
export const NewApiKeyView = Type.Object(
  {
    key: nullableText(
      'The key itself. It is shown this once; null when the answer is repeated for an Idempotency-Key.',
    ),
    ...shared,
  },
  named('NewApiKey', 'A key that was just made.'),
);

export const KeyIdParams = Type.Object({
  id: withExample(uuid('Identifier of the key.'), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'),
});

export const CreateApiKey = Type.Object(
  {
    name: text(MAX_NAME, 'What it is for.'),
    mode: Type.Optional(
      choiceOf(keyModes, named('ApiKeyMode', 'Default: that of the key that asks. A test key makes test keys only.')),
    ),
    scopes: Type.Optional(
      Type.Array(choiceOf(scopeNames, named('Scope', 'A scope.')), {
        minItems: 1,
        maxItems: scopeNames.length,
        description: `What it may do; default: what the key that asks may do. ${scopeHelp.join(' ')}`,
      }),
    ),
    rate_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RATE,
        description: 'Requests per second, at most those of the key that asks. Default: as the key that asks.',
      }),
    ),
    allowed_ips: Type.Optional(
      Type.Array(text(MAX_NETWORK, 'An address, or a network such as 198.51.100.0/24 or 2001:db8::/32.'), {
        minItems: 1,
        maxItems: MAX_NETWORKS,
        description: 'Addresses and networks that it may be used from. Default: as the key that asks.',
      }),
    ),
    phone_number_ids: Type.Optional(
      Type.Array(phoneNumberId(), {
        minItems: 1,
        maxItems: MAX_NUMBERS,
        description:
          'Sending numbers that it is limited to: it sends and reads by these alone, and does nothing that is not about a number. Default: as the key that asks.',
      }),
    ),
    agent_id: Type.Optional(uuid('The agent that it acts for. Default: as the key that asks.')),
    expires_at: Type.Optional(
      time('When it ends by itself, at the latest when the key that asks does. Default: as the key that asks.'),
    ),
  },
  { additionalProperties: false, description: 'What a new key is for, and what it may do.' },
);

export type CreateApiKeyBody = Static<typeof CreateApiKey>;

/** Nothing will do: some clients cannot post without a body, others not with one. */
export const RotateApiKey = Type.Unsafe<{ readonly overlap_s?: number } | null>({
  type: ['object', 'null'],
  properties: {
    overlap_s: Type.Integer({
      minimum: 0,
      maximum: YEAR_S,
      default: DEFAULT_KEY_OVERLAP_S,
      description: 'Seconds that the old key works on; 0 ends it at once.',
    }),
  },
  additionalProperties: false,
  description: 'How long the old key works on.',
});

const id = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';

export const keyExample: JsonObject = {
  id,
  name: 'web shop',
  mode: 'live',
  hint: 'pr_live_4Kd8…',
  status: 'active',
  scopes: ['messages:read', 'messages:write'],
  rate_limit: 50,
  agent_id: null,
  allowed_ips: ['198.51.100.0/24'],
  phone_number_ids: [],
  created_at: '2030-01-01T09:00:00.000Z',
  expires_at: '2030-04-01T09:00:00.000Z',
  revoked_at: null,
  last_used_at: '2030-01-02T10:11:00.000Z',
};

// Its checksum is wrong on purpose: scanners for leaked keys must not find one in this document.
export const newKeyExample: JsonObject = {
  ...keyExample,
  key: 'pr_live_4Kd8EXAMPLEonlyNOTaREALkey000000AAAAAA',
  last_used_at: null,
};

export const revokedKeyExample: JsonObject = {
  ...keyExample,
  status: 'revoked',
  revoked_at: '2030-01-03T08:00:00.000Z',
};

export const tooManyKeysExample: ErrorExample = {
  name: 'tooManyKeys',
  code: 'conflict',
  body: {
    error: 'This tenant has 500 working keys already. Revoke one that is not needed.',
    code: 'conflict',
  },
};

export const grantErrorExamples: readonly ErrorExample[] = [
  {
    name: 'lacksScope',
    code: 'forbidden',
    body: { error: 'This API key lacks the scope messages:write itself.', code: 'forbidden' },
  },
];
