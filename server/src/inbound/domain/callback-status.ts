import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, labelOf, objectOf, personOf, shortTextOf, textOf, timeOf } from '#core/json-fields';
import type { NetworkError, NetworkPricing } from '#messages/domain/delivery';
import type { StatusItem } from '#messages/domain/status-item';
import type { CallbackItem } from './callback-items.ts';

/** The network's limit for the correlation token. */
const MAX_TOKEN_LENGTH = 512;
const MAX_PRICING_TEXT_LENGTH = 64;
const MAX_INT32 = 2_147_483_647;

const knownStatuses: ReadonlyMap<string, StatusItem['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A voice message that was played has been read.
  ['played', 'read'],
  ['failed', 'failed'],
]);

/** One member of `statuses[]` as one item (the network's reference of its status webhook). */
export function readStatus(raw: JsonValue, phoneNumberId: string | null): CallbackItem {
  if (!isJsonObject(raw)) return { kind: 'ignored', reason: 'A status is not an object.', raw };
  const name = textOf(raw.status);
  if (name === null) return { kind: 'ignored', reason: 'A status does not say which status it is.', raw };
  const status = knownStatuses.get(name);
  if (status === undefined) {
    return { kind: 'other', field: 'messages', phoneNumberId, name: `status:${labelOf(name)}`, raw };
  }
  const networkMessageId = idOf(raw.id);
  const at = timeOf(raw.timestamp);
  if (networkMessageId === null) return { kind: 'ignored', reason: 'A status names no message.', raw };
  if (at === null) return { kind: 'ignored', reason: 'A status has no usable timestamp.', raw };
  if (phoneNumberId === null) return { kind: 'ignored', reason: 'A status names no business number.', raw };
  const recipient = recipientOf(raw);
  return {
    kind: 'status',
    phoneNumberId,
    networkMessageId,
    status,
    at,
    echo: shortTextOf(raw.biz_opaque_callback_data, MAX_TOKEN_LENGTH),
    recipient: recipient.phone,
    recipientUserId: recipient.userId,
    error: errorOf(raw.errors),
    pricing: pricingOf(raw.pricing),
  };
}

/** In a group `recipient_id` is the group; the person is the participant. */
function recipientOf(status: JsonObject): ReturnType<typeof personOf> {
  return status.recipient_type === 'group'
    ? personOf(status.recipient_participant_id, status.recipient_participant_user_id)
    : personOf(status.recipient_id, status.recipient_user_id);
}

/** The first error; the network sends one. Null without a code, since nothing can be decided on a text. */
function errorOf(errors: JsonValue | undefined): NetworkError | null {
  const error = objectOf(isJsonList(errors) ? errors[0] : undefined);
  const networkCode = codeOf(error.code);
  if (networkCode === null) return null;
  return {
    networkCode,
    title: textOf(error.title) ?? textOf(error.message) ?? '',
    details: textOf(objectOf(error.error_data).details),
  };
}

/** A code that fits into an integer column. */
function codeOf(value: JsonValue | undefined): number | null {
  const text = idOf(value);
  if (text === null || !/^[0-9]{1,10}$/.test(text)) return null;
  const code = Number(text);
  return code <= MAX_INT32 ? code : null;
}

function pricingOf(value: JsonValue | undefined): NetworkPricing | null {
  if (!isJsonObject(value)) return null;
  return {
    category: shortTextOf(value.category, MAX_PRICING_TEXT_LENGTH),
    billable: typeof value.billable === 'boolean' ? value.billable : null,
    model: shortTextOf(value.pricing_model, MAX_PRICING_TEXT_LENGTH),
    type: shortTextOf(value.type, MAX_PRICING_TEXT_LENGTH),
  };
}
