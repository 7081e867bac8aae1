import Type, { type Static } from 'typebox';
import { scopeNames, scopes } from '#core/caller/scopes';
import type { JsonObject } from '#core/json';
import {
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  optional,
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

export const ApiKeyView = Type.Object(
  {
    id: uuid('ID of the key.'),
    name: Type.String({ description: 'What it is for.' }),
    mode: choiceOf(keyModes, named('ApiKeyMode', 'Test keys send only to the simulator.')),
    hint: Type.String({ description: 'First characters of the key, to tell keys apart.' }),
    status: choiceOf(keyStatuses, named('ApiKeyStatus', 'Only active keys work.')),
    scopes: Type.Array(Type.String(), { description: 'Scopes of the key. Empty: all.' }),
    rate_limit: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: "Maximum requests per second. Null: the installation's default; 0: no limit.",
    }),
    agent_id: nullableUuid('Agent that the key acts for. Null: none.'),
    allowed_ips: Type.Array(Type.String(), {
      description: 'IP addresses and networks that the key may be used from. Empty: any that the tenant allows.',
    }),
    phone_number_ids: Type.Array(Type.String(), {
      description: 'Sending numbers that the key is limited to. Empty: all.',
    }),
    created_at: time(named('CreatedAt', 'When it was created.')),
    expires_at: nullableTime('When the key expires or expired.'),
    revoked_at: nullableTime('When it was revoked.'),
    last_used_at: nullableTime('When it was last used, to the minute.'),
  },
  named('ApiKey', 'An API key, without the key itself.'),
);

/** `key` is null in a repetition: the key is stored nowhere. */
export const NewApiKeyView = Type.Intersect(
  [
    ApiKeyView,
    Type.Object({
      key: nullableText(
        'The key itself, shown only this once. Null if the response is repeated for an Idempotency-Key.',
      ),
    }),
  ],
  named('NewApiKey', 'A newly created key.'),
);

const id = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
export const KeyIdParams = Type.Object({ id: withExample(uuid('ID of the key.'), id) });

export const CreateApiKey = Type.Object(
  {
    name: text(MAX_NAME, 'What it is for.'),
    ...optional({
      mode: choiceOf(
        keyModes,
        named('ApiKeyMode', 'Default: that of the requesting key. Test keys can create only test keys.'),
      ),
      scopes: Type.Array(choiceOf(scopeNames, named('Scope', scopeHelp.join(' '))), {
        minItems: 1,
        maxItems: scopeNames.length,
        description: 'Scopes of the key. Default: those of the requesting key.',
      }),
      rate_limit: Type.Integer({
        minimum: 1,
        maximum: MAX_RATE,
        description: 'Maximum requests per second, at most that of the requesting key, which is the default.',
      }),
      allowed_ips: Type.Array(
        text(MAX_NETWORK, 'An IP address, or a network such as 198.51.100.0/24 or 2001:db8::/32.'),
        {
          minItems: 1,
          maxItems: MAX_NETWORKS,
          description: 'IP addresses and networks that the key may be used from. Default: those of the requesting key.',
        },
      ),
      phone_number_ids: Type.Array(phoneNumberId(), {
        minItems: 1,
        maxItems: MAX_NUMBERS,
        description:
          'Sending numbers that the key is limited to: it can send from and read only these, and do nothing unrelated to a number. Default: those of the requesting key.',
      }),
      agent_id: uuid('Agent that the key acts for. Default: that of the requesting key.'),
      expires_at: time('When the key expires, no later than the requesting key. Default: at the same time.'),
    }),
  },
  { additionalProperties: false, description: 'Settings of a new key.' },
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
      description: 'Seconds during which the old key remains valid; 0 ends it immediately.',
    }),
  },
  additionalProperties: false,
  description: 'How long the old key remains valid.',
});

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
