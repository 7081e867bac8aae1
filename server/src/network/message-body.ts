import type { JsonObject, JsonValue } from '#core/json';
import type { MarketingMessagesFields } from '#core/network/marketing-messages';
import { identityKind } from '#core/phone/recipient';

export interface OutgoingMessage {
  /** The digits of a number, or a user id of the network. */
  readonly to: string;
  readonly type: string;
  /** The network's object of this type; for contacts a list. */
  readonly payload: JsonValue;
  readonly token: string;
  /** Of the message that this one quotes; null for none. */
  readonly quotedNetworkId: string | null;
  /** Options of the Marketing Messages API, over which it leaves; null: over the Cloud API. */
  readonly marketing: MarketingMessagesFields | null;
}

/**
 * The body of `POST /{version}/{phone_number_id}/messages`, and of `marketing_messages`, which takes two fields more. The number carries a `+`: without it the network puts the
 * business number's own country code in front. A user id has a field of its own; beside `to` it would not count.
 */
export function messageBody(message: OutgoingMessage): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(identityKind(message.to) === 'user_id' ? { recipient: message.to } : { to: `+${message.to}` }),
    type: message.type,
    [message.type]: message.payload,
    ...(message.quotedNetworkId === null ? {} : { context: { message_id: message.quotedNetworkId } }),
    ...(message.marketing === null ? {} : marketingOptions(message.marketing)),
    biz_opaque_callback_data: message.token,
  });
}

function marketingOptions({ product_policy: policy, ...options }: MarketingMessagesFields): JsonObject {
  return { ...options, ...(policy === undefined ? {} : { product_policy: policy.toUpperCase() }) };
}
