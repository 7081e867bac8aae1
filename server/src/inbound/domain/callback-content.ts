import { isJsonList, isJsonObject, type JsonObject } from '#core/json';
import { idOf, objectOf, textOf } from '#core/json-fields';
import type { MessageContext } from '#messages/domain/message-context';
import { readMessageContext } from './callback-context.ts';

/** What an inbound message says. */
export interface InboundContent {
  /** The network's type; `unsupported` for every kind that this table does not know. */
  readonly type: string;
  /** The object named after the type, verbatim (`{contacts: […]}` for the one that is a list); for `unsupported` the whole message. */
  readonly content: JsonObject;
  /** What an inbox shows as text; null when there is nothing to read. */
  readonly body: string | null;
  /** What the message refers to: above all the message that it answers or reacts to. */
  readonly context: MessageContext | null;
  /** Whether the customer said something to the business, which opens the 24-hour window. */
  readonly opensWindow: boolean;
}

type ReadBody = (content: JsonObject) => string | null;

const captionOf: ReadBody = (content) => textOf(content.caption);
const nothing: ReadBody = () => null;

/** The inbound types (the network's reference of its messages webhook), each with the place of its readable text. */
const readers: ReadonlyMap<string, ReadBody> = new Map<string, ReadBody>([
  ['text', (content) => textOf(content.body)],
  ['image', captionOf],
  ['video', captionOf],
  ['document', captionOf],
  ['audio', nothing],
  ['voice', nothing],
  ['sticker', nothing],
  ['location', (content) => textOf(content.name) ?? textOf(content.address)],
  ['contacts', contactNames],
  ['button', (content) => textOf(content.text)],
  ['interactive', interactiveBody],
  // A removed reaction has an empty emoji or none.
  ['reaction', (content) => textOf(content.emoji) || null],
  ['order', (content) => textOf(content.text) || null],
  ['system', (content) => textOf(content.body)],
]);

/** Reads what one message of a callback says. Never throws; what it cannot read is `unsupported` with the whole message. */
export function readContent(message: JsonObject): InboundContent {
  const type = textOf(message.type) ?? '';
  const quotedId = idOf(objectOf(message.context).id);
  const content = contentOf(message, type);
  const read = readers.get(type);
  const body = content === null || read === undefined ? null : read(content);
  // The live network has sent messages without the object of their type; a text message without its text is no better.
  if (content === null || (type === 'text' && body === null)) {
    const context = readMessageContext(message, quotedId);
    const opensWindow = type !== 'request_welcome';
    return { type: 'unsupported', content: message, body: null, context, opensWindow };
  }
  return {
    // `voice` is the old name of an audio message.
    type: type === 'voice' ? 'audio' : type,
    content,
    body,
    context: readMessageContext(message, (type === 'reaction' ? idOf(content.message_id) : null) ?? quotedId),
    // A notice of the network says nothing for the customer, nor does a reaction that is taken back.
    opensWindow: type !== 'system' && !(type === 'reaction' && body === null),
  };
}

/** The object named after the type; null when the type is unknown or its object is missing. */
function contentOf(message: JsonObject, type: string): JsonObject | null {
  if (!readers.has(type)) return null;
  const value = message[type];
  if (type === 'contacts' && isJsonList(value)) return { contacts: value };
  return isJsonObject(value) ? value : null;
}

function contactNames(content: JsonObject): string | null {
  const cards = isJsonList(content.contacts) ? content.contacts : [];
  const names = cards
    .map((card) => textOf(objectOf(objectOf(card).name).formatted_name))
    .filter((name) => name !== null);
  return names.join(', ') || null;
}

/** What was chosen: a button's or row's title, or the text of a form's answer. */
function interactiveBody(content: JsonObject): string | null {
  const buttonTitle = textOf(objectOf(content.button_reply).title);
  const rowTitle = textOf(objectOf(content.list_reply).title);
  const formText = textOf(objectOf(content.nfm_reply).body);
  return buttonTitle ?? rowTitle ?? formText;
}
