import Type, { type Static } from 'typebox';
import { reopenPolicies } from '#accounts/domain/reopen-policy';
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
  withExample,
} from '#http/schemas/fields';

const MAX_NAME = 200;
const MAX_REASON = 500;
/** Faster than the network ever is; a limit above it is none. */
const MAX_RATE = 100_000;
export const numberStatuses = ['active', 'paused'] as const;

/** A year. */
const MAX_REOPEN_HOURS = 8_760;
const REOPEN =
  'What a message of a customer does whose conversation is resolved: opens it again, begins a new one, or begins a new one once reopen_hours have passed.';
const REOPEN_HOURS = 'How long new_after opens a resolved conversation again. Default 24.';

const AUTO_RESOLVE =
  'Hours without a message or a change after which an open or pending conversation is resolved; null: never.';
const AUTO_RESOLVE_WAITING = 'Whether it is also resolved while the customer waits for an answer. Default false.';

const autoResolve = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: MAX_REOPEN_HOURS,
  description: AUTO_RESOLVE,
} as const;

const rateLimit = {
  type: ['integer', 'null'],
  minimum: 0,
  maximum: MAX_RATE,
  description: 'Messages per second. null: the default of the installation; 0: no limit.',
} as const;

export const PhoneNumberView = Type.Object(
  {
    id: phoneNumberId(),
    phone: Type.String({ description: 'The number as customers see it, digits only.' }),
    name: nullableText('What it is called here.'),
    status: choiceOf(
      numberStatuses,
      named('PhoneNumberStatus', 'A paused number keeps its messages until it is resumed, or they expire.'),
    ),
    pause_reason: nullableText('Why it is paused.'),
    rate_limit: Type.Unsafe<number | null>(rateLimit),
    account_id: nullableUuid('The linked account that it came from; null: the operator added it.'),
    business_hours_id: nullableUuid('When it is open; null: the default hours of the tenant.'),
    network_account_id: nullableText('The account of the network that it belongs to.'),
    quality: nullableText('Quality rating in the words of the network: GREEN, YELLOW, RED or UNKNOWN.'),
    messaging_limit: nullableText('How many customers may be written to first in 24 hours, as TIER_2K.'),
    throughput: nullableText('Level of the sending speed at the network: STANDARD or HIGH.'),
    network_status: nullableText('State at the network, as CONNECTED.'),
    network_checked_at: nullableTime('When the network was last asked; null: never.'),
    reopen_policy: choiceOf(reopenPolicies, REOPEN),
    reopen_hours: Type.Integer({ description: REOPEN_HOURS }),
    auto_resolve_hours: Type.Unsafe<number | null>(autoResolve),
    auto_resolve_waiting: Type.Boolean({ description: AUTO_RESOLVE_WAITING }),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was first added.'),
  },
  named('PhoneNumber', 'A sending number.'),
);

export const PhoneNumberParams = Type.Object({ id: withExample(phoneNumberId(), '106540352242922') });

export const AddPhoneNumber = Type.Object(
  {
    phone_number_id: phoneNumberId(),
    name: Type.Optional(text(MAX_NAME, 'What it is called here. Default: as the network calls it.')),
  },
  { additionalProperties: false, description: 'A number of a linked account.' },
);

export const ChangePhoneNumber = Type.Object(
  {
    name: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: MAX_NAME,
        description: 'What it is called here.',
      }),
    ),
    business_hours_id: Type.Optional(nullableUuid('When it is open; null: the default hours of the tenant.')),
    status: Type.Optional(
      choiceOf(numberStatuses, named('PhoneNumberStatus', 'paused keeps its messages back; active lets them leave.')),
    ),
    pause_reason: Type.Optional(text(MAX_REASON, 'Why it is paused; only together with a pause.')),
    rate_limit: Type.Optional(Type.Unsafe<number | null>(rateLimit)),
    reopen_policy: Type.Optional(choiceOf(reopenPolicies, REOPEN)),
    reopen_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_REOPEN_HOURS, description: REOPEN_HOURS })),
    auto_resolve_hours: Type.Optional(Type.Unsafe<number | null>(autoResolve)),
    auto_resolve_waiting: Type.Optional(Type.Boolean({ description: AUTO_RESOLVE_WAITING })),
  },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);
export type ChangePhoneNumberBody = Static<typeof ChangePhoneNumber>;

export const numberExample: JsonObject = {
  id: '106540352242922',
  phone: '15550100001',
  name: 'Main desk',
  status: 'active',
  pause_reason: null,
  rate_limit: null,
  account_id: '0190a6f7-1111-7222-8333-444455556666',
  business_hours_id: null,
  network_account_id: '300400500600',
  quality: 'GREEN',
  messaging_limit: 'TIER_2K',
  throughput: 'STANDARD',
  network_status: 'CONNECTED',
  network_checked_at: '2030-01-01T09:00:00.000Z',
  reopen_policy: 'new_after',
  reopen_hours: 24,
  auto_resolve_hours: null,
  auto_resolve_waiting: false,
  version: 3,
  created_at: '2030-01-01T09:00:00.000Z',
};

export const staleErrorExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The number was changed meanwhile: its version is 4. Read it again.', code: 'precondition_failed' },
};
