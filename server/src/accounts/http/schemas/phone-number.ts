import Type, { type Static } from 'typebox';
import { laneWaitReasons } from '#accounts/domain/lane-wait';
import { reopenPolicies } from '#accounts/domain/reopen-policy';
import type { JsonObject } from '#core/json';
import {
  changeOf,
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  PATTERN_SENTENCE,
  phoneNumberId,
  text,
  time,
  withExample,
} from '#http/schemas/fields';
import { waitingView } from './waiting.ts';

const MAX_NAME = 200;
const MAX_REASON = 500;
/** Faster than the network ever is; a limit above it is none. */
const MAX_RATE = 100_000;
/** The two-step PIN of a number, in a request. */
export function twoStepPin(description: string) {
  return Type.String({ pattern: '^[0-9]{6}$', [PATTERN_SENTENCE]: 'must be 6 digits', description });
}

export const numberStatuses = ['active', 'paused'] as const;

/** A year. */
const MAX_REOPEN_HOURS = 8_760;
const REOPEN_HOURS = 'Hours during which new_after reopens a resolved conversation. Default: 24.';

const reopenPolicy = choiceOf(
  reopenPolicies,
  named(
    'ReopenPolicy',
    'What happens when the customer of a resolved conversation writes: it is reopened, a new one is opened, or a new one is opened after reopen_hours.',
  ),
);
const autoResolveHours = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: MAX_REOPEN_HOURS,
  description:
    'Hours without messages or changes after which an open or pending conversation is resolved. Null: never.',
});
const autoResolveWaiting = Type.Boolean({
  description: 'Whether conversations are resolved even if the customer is waiting for a reply. Default: false.',
});
const assignOnReply = Type.Boolean({
  description: 'Whether an unassigned conversation is assigned to the agent who replies in it. Default: false.',
});
const rateLimit = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: MAX_RATE,
  description: "Messages per second. Null: the installation's default; 0: no limit.",
});

export const PhoneNumberView = Type.Object(
  {
    id: phoneNumberId(),
    phone: Type.String({ description: 'The number as customers see it, digits only.' }),
    name: nullableText('Display name.'),
    status: choiceOf(
      numberStatuses,
      named('PhoneNumberStatus', 'A paused number holds its messages until it is resumed or they expire.'),
    ),
    pause_reason: nullableText('Why it is paused.'),
    rate_limit: rateLimit,
    account_id: nullableUuid('Linked account that it belongs to. Null if the operator added it.'),
    business_hours_id: nullableUuid("Business hours. Null: the tenant's default hours."),
    network_account_id: nullableText('Network account that it belongs to.'),
    quality: nullableText('Quality rating by the network: GREEN, YELLOW, RED or UNKNOWN.'),
    messaging_limit: nullableText('How many customers can be messaged first within 24 hours, such as TIER_2K.'),
    throughput: nullableText('Sending speed at the network: STANDARD or HIGH.'),
    network_status: nullableText('Status at the network, such as CONNECTED.'),
    network_checked_at: nullableTime('When the network was last queried. Null: never.'),
    reopen_policy: reopenPolicy,
    reopen_hours: Type.Integer({ description: REOPEN_HOURS }),
    auto_resolve_hours: autoResolveHours,
    auto_resolve_waiting: autoResolveWaiting,
    assign_on_reply: assignOnReply,
    waiting: Type.Optional(
      waitingView(
        'Number',
        laneWaitReasons,
        'Why due messages wait to leave from it: `ahead` of them, of which the last leaves in `eta_s`. Null if none waits. Only when one number is read.',
      ),
    ),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time('When it was first added.'),
  },
  named('PhoneNumber', 'A sending number.'),
);

export const PhoneNumberParams = Type.Object({ id: withExample(phoneNumberId(), '106540352242922') });

export const AddPhoneNumber = Type.Object(
  {
    phone_number_id: phoneNumberId(),
    name: Type.Optional(text(MAX_NAME, 'Display name. Default: the name on the network.')),
    pin: Type.Optional(
      twoStepPin(
        'Its two-step PIN, if it was set elsewhere or by setNumberPin. It is not stored; send no Idempotency-Key with it.',
      ),
    ),
  },
  { additionalProperties: false, description: 'A number of a linked account.' },
);

export const ChangePhoneNumber = changeOf({
  name: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: MAX_NAME,
    description: 'Display name.',
  }),
  business_hours_id: nullableUuid("Business hours. Null: the tenant's default hours."),
  status: choiceOf(numberStatuses, named('PhoneNumberStatus', 'paused holds back its messages; active sends them.')),
  pause_reason: text(MAX_REASON, 'Why it is paused. Allowed only with a pause.'),
  rate_limit: rateLimit,
  reopen_policy: reopenPolicy,
  reopen_hours: Type.Integer({ minimum: 1, maximum: MAX_REOPEN_HOURS, description: REOPEN_HOURS }),
  auto_resolve_hours: autoResolveHours,
  auto_resolve_waiting: autoResolveWaiting,
  assign_on_reply: assignOnReply,
});
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
  assign_on_reply: false,
  version: 3,
  created_at: '2030-01-01T09:00:00.000Z',
};

export const numberWaitingExample: JsonObject = {
  reason: 'rate_limit',
  ahead: 214,
  ahead_is_more: false,
  rate_per_s: 80,
  eta_s: 3,
};
