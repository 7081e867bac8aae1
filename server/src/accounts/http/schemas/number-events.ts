import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, named, nullableText, nullableUuid, phoneNumberId } from '#http/schemas/fields';
import { numberExample, numberStatuses } from './phone-number.ts';

const ReportedNumber = Type.Object(
  {
    id: phoneNumberId(),
    phone: Type.String({ description: 'The number as customers see it, digits only.' }),
    account_id: nullableUuid('The linked account that it came from; null: the operator added it.'),
    status: choiceOf(
      numberStatuses,
      named('PhoneNumberStatus', 'A paused number keeps its messages until it is resumed, or they expire.'),
    ),
    pause_reason: nullableText('Why it is paused.'),
    quality: nullableText('Quality rating in the words of the network: GREEN, YELLOW, RED or UNKNOWN.'),
    messaging_limit: nullableText('How many customers may be written to first in 24 hours, as TIER_2K.'),
    throughput: nullableText('Level of the sending speed at the network: STANDARD or HIGH.'),
    network_status: nullableText('State at the network, as CONNECTED.'),
    changes: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: { type: 'array', minItems: 2, maxItems: 2 },
      description: 'The old and the new value of each field that changed.',
    }),
  },
  named('ReportedPhoneNumber', 'A sending number, and what changed.'),
);

function changed(now: JsonObject, changes: JsonObject): EventDescription {
  const { id, phone, account_id, status, pause_reason, quality, messaging_limit, throughput, network_status } =
    numberExample;
  const told = { id, phone, account_id, status, pause_reason, quality, messaging_limit, throughput, network_status };
  return { data: ReportedNumber, example: { ...told, ...now, changes } };
}

const REFUSED = 'The network refuses the access token of this number.';

/** What events of sending numbers carry. */
export const phoneNumberEvents: Partial<Record<EventType, EventDescription>> = {
  'number.paused': changed(
    { status: 'paused', pause_reason: REFUSED },
    { status: ['active', 'paused'], pause_reason: [null, REFUSED] },
  ),
  'number.resumed': changed({}, { status: ['paused', 'active'], pause_reason: [REFUSED, null] }),
  'number.quality_changed': changed({ quality: 'RED' }, { quality: ['GREEN', 'RED'] }),
  'number.limit_changed': changed({ messaging_limit: 'TIER_10K' }, { messaging_limit: ['TIER_2K', 'TIER_10K'] }),
  'number.status_changed': changed({ network_status: 'RESTRICTED' }, { network_status: ['CONNECTED', 'RESTRICTED'] }),
};
