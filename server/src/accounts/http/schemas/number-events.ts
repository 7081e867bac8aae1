import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';
import { type EventDescription, fieldChanges } from '#http/schemas/events/description';
import { choiceOf, named, nullableText, nullableUuid, phoneNumberId } from '#http/schemas/fields';
import { numberExample, numberStatuses } from './phone-number.ts';

const ReportedNumber = Type.Object(
  {
    id: phoneNumberId(),
    phone: Type.String({ description: 'The number as customers see it, digits only.' }),
    account_id: nullableUuid('Linked account that it belongs to. Null if the operator added it.'),
    status: choiceOf(
      numberStatuses,
      named('PhoneNumberStatus', 'A paused number holds its messages until it is resumed or they expire.'),
    ),
    pause_reason: nullableText('Why it is paused.'),
    quality: nullableText('Quality rating by the network: GREEN, YELLOW, RED or UNKNOWN.'),
    messaging_limit: nullableText('How many customers can be messaged first within 24 hours, such as TIER_2K.'),
    throughput: nullableText('Sending speed at the network: STANDARD or HIGH.'),
    network_status: nullableText('Status at the network, such as CONNECTED.'),
    changes: fieldChanges,
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
