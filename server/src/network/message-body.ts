import type { JsonObject } from '#core/json';

export interface OutgoingMessage {
  /** Digits only. */
  readonly to: string;
  readonly type: string;
  readonly content: JsonObject;
  readonly echo: string;
  readonly replyToNetworkId: string | null;
}

/**
 * The body of `POST /{version}/{phone_number_id}/messages`. The number carries a `+`: without it the network puts the
 * business number's own country code in front.
 */
export function messageBody(message: OutgoingMessage): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: `+${message.to}`,
    type: message.type,
    [message.type]: message.content,
    ...(message.replyToNetworkId === null ? {} : { context: { message_id: message.replyToNetworkId } }),
    biz_opaque_callback_data: message.echo,
  });
}
