import { cutText, isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, textOf } from '#core/json-fields';
import type { ContextError, ForwardedMark, MessageContext, ReferredProduct } from '#messages/domain/message-context';

/** The network's own sentences are far shorter. */
const MAX_ERROR_LENGTH = 500;

/**
 * Reads what a message refers to; null when it refers to nothing.
 * @param targetId the message that it answers or reacts to
 */
export function readMessageContext(message: JsonObject, targetId: string | null): MessageContext | null {
  const context = objectOf(message.context);
  // The author that the network names is that of the quoted message, which a reaction does not name there.
  const from = idOf(context.id) === targetId ? idOf(context.from) : null;
  const read: MessageContext = {
    quoted: targetId === null ? null : { id: targetId, from },
    forwarded: forwardedMark(context),
    product: productOf(objectOf(context.referred_product)),
    error: errorOf(message.errors),
  };
  return Object.values(read).every((part) => part === null) ? null : read;
}

function forwardedMark(context: JsonObject): ForwardedMark | null {
  if (context.frequently_forwarded === true) return 'frequently_forwarded';
  return context.forwarded === true ? 'forwarded' : null;
}

function productOf(product: JsonObject): ReferredProduct | null {
  const retailerId = idOf(product.product_retailer_id);
  return retailerId === null ? null : { catalogId: idOf(product.catalog_id), retailerId };
}

/** The first error, in the most detailed of the sentences that it has. */
function errorOf(errors: JsonValue | undefined): ContextError | null {
  const first = isJsonList(errors) ? errors[0] : undefined;
  if (!isJsonObject(first)) return null;
  const message = textOf(objectOf(first.error_data).details) ?? textOf(first.message) ?? textOf(first.title);
  if (!message) return null;
  return { code: typeof first.code === 'number' ? first.code : null, message: cutText(message, MAX_ERROR_LENGTH) };
}
