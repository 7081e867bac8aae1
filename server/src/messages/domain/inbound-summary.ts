import { isJsonList, type JsonObject, type JsonValue } from '#core/json';
import { objectOf, shortTextOf, textOf, timeOf } from '#core/json-fields';
import { callOf, summarizeCall } from './call.ts';

/** A kind that the network names is a short word. */
const MAX_KIND_LENGTH = 40;

/**
 * One sentence for a message that has no text to show: what it is, and why there is no more of it. Null where the text,
 * the file or the place speaks for itself.
 * @param content as it is stored: the object named after the type, for `unsupported` the whole message
 */
export function summarizeInbound(type: string, content: JsonObject): string | null {
  if (type === 'unsupported') return summarizeUnsupported(content);
  if (type === 'order') return textOf(content.text) ? null : summarizeOrder(content);
  if (type === 'reaction') return textOf(content.emoji) ? null : 'The customer removed a reaction.';
  if (type === 'interactive') return summarizeCallPermission(objectOf(content.call_permission_reply));
  const call = callOf({ type, content });
  if (call !== null) return summarizeCall(call);
  if (type === 'system') return textOf(content.body) ? null : summarizeNotice(content);
  return null;
}

/** The same for a message as it is now: one that was deleted says only that. */
export function summaryOf({
  type,
  content,
  deletedMs,
}: {
  readonly type: string;
  readonly content: JsonObject;
  readonly deletedMs: number | null;
}): string | null {
  return deletedMs === null ? summarizeInbound(type, content) : 'The customer deleted this message.';
}

/** What the network tells businesses of, but does not hand over; its words are those of `unsupported.type`. */
const unsupportedKinds: ReadonlyMap<string, string> = new Map([
  ['poll', 'a poll'],
  ['poll_creation', 'a poll'],
  ['poll_update', 'a vote in a poll'],
  ['event', 'an event'],
  ['event_creation', 'an event'],
  ['event_response', 'a response to an event'],
  ['view_once', 'a photo, video or voice message that can be viewed once'],
  ['view_once_message', 'a photo, video or voice message that can be viewed once'],
  ['video_note', 'a video note'],
  ['group_invite', 'an invitation to a group'],
  ['pin', 'a pin on a message'],
  ['keep', 'a mark that keeps a disappearing message'],
  ['live_location', 'a live location'],
  ['list', 'a list'],
  ['product', 'a product'],
  ['sticker_pack', 'a sticker pack'],
  ['payment', 'a payment'],
]);

function summarizeUnsupported(message: JsonObject): string {
  const type = textOf(message.type);
  if (type === 'media_placeholder') return 'A file that was sent before the API was used.';
  if (type === 'request_welcome') return 'The customer opened the chat and has not written yet.';
  if (type !== null && type !== 'unsupported' && !isPlain(message, type)) {
    return 'The network did not deliver what the customer sent.';
  }
  const kind = type === 'unsupported' ? shortTextOf(objectOf(message.unsupported).type, MAX_KIND_LENGTH) : null;
  const known = unsupportedKinds.get(kind ?? '');
  if (known !== undefined) return `The customer sent ${known}. The network does not deliver these to businesses.`;
  if (kind !== null) return `The customer sent a message of the kind ${kind}. The network does not deliver these.`;
  if (type === null || type === 'unsupported') {
    return 'The customer sent a message of a kind that the network does not deliver to businesses.';
  }
  return `The customer sent a message of the kind ${type.slice(0, MAX_KIND_LENGTH)}, which cannot be shown here yet.`;
}

/** Whether the message has the object that is named after its type. */
function isPlain(message: JsonObject, type: string): boolean {
  const content = Object.hasOwn(message, type) ? message[type] : undefined;
  return typeof content === 'object' && content !== null && Object.keys(content).length > 0;
}

const noticeSentences: ReadonlyMap<string, string> = new Map([
  ['user_changed_number', 'The customer has a new phone number.'],
  ['user_changed_user_id', "The network's ID of the customer has changed."],
  ['customer_identity_changed', "The customer's security code has changed."],
]);

/** The answer to a request to call the customer; null: it is another kind of answer. */
function summarizeCallPermission(reply: JsonObject): string | null {
  const response = textOf(reply.response);
  if (response === null) return null;
  if (response !== 'accept') return 'The customer does not allow you to call.';
  const untilMs = timeOf(reply.expiration_timestamp);
  const until = untilMs === null ? '' : ` until ${dayFormat.format(untilMs)}`;
  return `The customer allows you to call${until}.`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function summarizeNotice(content: JsonObject): string {
  return noticeSentences.get(textOf(content.type) ?? '') ?? 'A notice of the network.';
}

/** `An order of 3 items, EUR 59.97.`; without the total when the items do not state one in one currency. */
function summarizeOrder(content: JsonObject): string {
  const items = (isJsonList(content.product_items) ? content.product_items : []).map((item) => objectOf(item));
  const count = items.reduce((sum, item) => sum + (numberOf(item.quantity) ?? 1), 0);
  const total = totalOf(items);
  return `An order of ${count} ${count === 1 ? 'item' : 'items'}${total === null ? '' : `, ${total}`}.`;
}

function totalOf(items: readonly JsonObject[]): string | null {
  const currencies = new Set(items.map((item) => textOf(item.currency)));
  const [currency] = currencies;
  if (currencies.size !== 1 || !currency || !/^[A-Z]{3}$/.test(currency)) return null;
  const prices = items.map((item) => (numberOf(item.item_price) ?? Number.NaN) * (numberOf(item.quantity) ?? 1));
  const total = prices.reduce((sum, price) => sum + price, 0);
  if (!Number.isFinite(total)) return null;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(total).replaceAll('\u00a0', ' ');
}

/** The network writes numbers; some senders write them as text. */
function numberOf(value: JsonValue | undefined): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}
