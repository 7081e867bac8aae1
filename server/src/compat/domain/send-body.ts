import type { FaultDetail } from '#core/errors';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import type { SendEdge } from '#core/network/marketing-messages';
import { isUserId } from '#core/phone/recipient';
import { readSurrogate } from '#messages/domain/network-message-id';

/** A send in the network's form, as `POST /v1/messages` takes it, before its schema has looked at it. */
export interface TranslatedSend {
  readonly kind: 'send';
  /** Without what is quoted, which must be looked up first. */
  readonly body: JsonObject;
  /** The message that is quoted: an id of the network or a surrogate; null: none. */
  readonly quoted: string | null;
  /** What the caller wrote as recipient: it is answered unchanged. */
  readonly input: string;
}

/** What is wrong with a send beside the object of its type. */
export interface SendFaults {
  readonly kind: 'faults';
  readonly faults: readonly FaultDetail[];
}

const media = ['image', 'video', 'audio', 'document', 'sticker'];
/** What a send may have beside the object of its type. */
const common = [
  'messaging_product',
  'recipient_type',
  'to',
  'recipient',
  'type',
  'context',
  'biz_opaque_callback_data',
] as const satisfies readonly string[];

/** What a send over the Marketing Messages API may have besides. */
const marketingOptions = ['product_policy', 'message_activity_sharing'] as const satisfies readonly string[];

/**
 * Reads the body of `POST /{phone_number_id}/messages`, or of `marketing_messages`. What is wrong inside the object of a type is left to the schema of our own send.
 * @param given without members that are null, and with JSON where the caller sent JSON as text
 */
export function translateSend(
  given: JsonObject,
  { phoneNumberId, edge }: { readonly phoneNumberId: string; readonly edge: SendEdge },
): TranslatedSend | SendFaults {
  const { type = 'text', context } = given;
  const isMarketing = edge === 'marketing_messages';
  const faults = envelopeFaults(given, isMarketing ? [...common, ...marketingOptions] : common);
  if (isMarketing && type !== 'template') faults.push({ path: 'body.type', message: 'type must be "template" here.' });
  if (faults.length > 0) return { kind: 'faults', faults };
  // With both, the network sends to the number.
  const to = String(given.to ?? given.recipient);
  const kind = String(type);
  const content = isMarketing ? withMarketingOptions(given) : given[kind];
  const body: JsonObject = {
    to,
    type: kind,
    phone_number_id: phoneNumberId,
    ...(given.biz_opaque_callback_data === undefined ? {} : { client_ref: given.biz_opaque_callback_data }),
    ...(content === undefined ? {} : translateContent(kind, content)),
  };
  const quoted = isJsonObject(context) && kind !== 'reaction' ? String(context.message_id) : null;
  return { kind: 'send', body, quoted, input: to };
}

/** The template with the options that the network takes beside it; our words for them are in lower case. */
function withMarketingOptions({ template, product_policy: policy, message_activity_sharing: sharing }: JsonObject) {
  if (!isJsonObject(template)) return template;
  const options = {
    ...(policy === undefined ? {} : { product_policy: typeof policy === 'string' ? policy.toLowerCase() : policy }),
    ...(sharing === undefined ? {} : { message_activity_sharing: sharing }),
  };
  return { ...template, marketing_messages: options };
}

function envelopeFaults(given: JsonObject, allowed: readonly string[]): FaultDetail[] {
  const { messaging_product, recipient_type = 'individual', to, recipient, type = 'text', context } = given;
  const faults: FaultDetail[] = [];
  const fault = (name: string, message: string) => faults.push({ path: `body.${name}`, message: `${name} ${message}` });
  if (messaging_product !== 'whatsapp') fault('messaging_product', 'is required and must be "whatsapp".');
  if (recipient_type !== 'individual') fault('recipient_type', 'must be "individual": groups are not supported.');
  if (recipient !== undefined && !(typeof recipient === 'string' && isUserId(recipient))) {
    fault('recipient', 'must be a user ID such as US.13491208655302741918.');
  }
  if (to === undefined ? recipient === undefined : typeof to !== 'string' && typeof to !== 'number') {
    fault('to', 'is required: a phone number, or in recipient a user ID.');
  }
  if (typeof type !== 'string') fault('type', 'must be a string.');
  if (context !== undefined && !(isJsonObject(context) && typeof context.message_id === 'string')) {
    fault('context', 'must be an object with the message_id of the quoted message.');
  }
  const known: readonly string[] = [...allowed, String(type)];
  for (const name of Object.keys(given)) if (!known.includes(name)) fault(name, 'is not supported here.');
  return faults;
}

/** The fields of a send of ours that say what the network's object of this type says. */
function translateContent(type: string, content: JsonValue): JsonObject {
  if (!isJsonObject(content)) return { [media.includes(type) ? 'media' : type]: content };
  if (type === 'text') return translateText(content);
  if (media.includes(type)) return { media: renamed(content, 'id', 'media_id') };
  if (type === 'reaction') return { reaction: translateReaction(content) };
  if (type === 'location') return { location: { ...content, ...coordinates(content) } };
  if (type === 'template') return { template: translateTemplate(content) };
  return { [type]: content };
}

function translateText({ body, preview_url, ...others }: JsonObject): JsonObject {
  return {
    ...(body === undefined ? {} : { body }),
    ...(preview_url === undefined ? {} : { preview_url }),
    // Refused by their names.
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`text.${name}`, value])),
  };
}

function renamed(content: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name === from ? to : name, value]));
}

/** Without an emoji, the reaction is taken back. */
function translateReaction({ message_id, emoji = '', ...others }: JsonObject): JsonObject {
  const target = typeof message_id === 'string' ? (readSurrogate(message_id) ?? message_id) : message_id;
  return { ...others, ...(target === undefined ? {} : { message_id: target }), emoji };
}

const DECIMAL = /^-?\d{1,3}(?:\.\d{1,20})?$/;

/** The network takes texts for them, and some clients send them so. */
function coordinates(content: JsonObject): JsonObject {
  const read = (value: JsonValue | undefined) =>
    typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  const { latitude, longitude } = content;
  return Object.fromEntries(
    Object.entries({ latitude: read(latitude), longitude: read(longitude) }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** The language is a code of its own, and words are in lower case. */
function translateTemplate({ language, components, ...others }: JsonObject): JsonObject {
  const code = isJsonObject(language) ? language.code : language;
  return {
    ...others,
    ...(code === undefined ? {} : { language: code }),
    ...(isJsonList(components)
      ? { components: components.map(lowered) }
      : components === undefined
        ? {}
        : { components }),
  };
}

/** Words that the network understands in either case, of a component and everything below it. */
const WORDS = ['type', 'sub_type'];

function lowered(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(lowered);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      WORDS.includes(name) && typeof item === 'string' ? item.toLowerCase() : loweredBelow(name, item),
    ]),
  );
}

/** What a caller gives to a flow or a catalog is theirs. */
function loweredBelow(name: string, item: JsonValue): JsonValue {
  return ['cards', 'components', 'parameters'].includes(name) ? lowered(item) : item;
}

/** Where a field of our send stands in the network's form. */
function networkPath(path: string, type: string): string {
  if (type === 'text') return path.replace(/^(body|preview_url)\b/, 'text.$1');
  if (media.includes(type)) return path.replace(/^media\.media_id\b/, `${type}.id`).replace(/^media\b/, type);
  return path.replace(/^template\.language\b/, 'template.language.code').replace(/^template\.marketing_messages\./, '');
}

/** A fault that was found in our send, in the words of the network's form. */
export function translateFault({ path, message }: FaultDetail, type: string): FaultDetail {
  const field = path.replace(/^body\.?/, '');
  const named = networkPath(field, type)
    .replace(/^client_ref$/, 'biz_opaque_callback_data')
    .replace(/^reply_to$/, 'context.message_id');
  if (named === field || field === '') return { path, message };
  return { path: `body.${named}`, message: message.startsWith(field) ? named + message.slice(field.length) : message };
}

/** A copy without members that are null: the network takes them for absent. */
export function dropNulls(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(dropNulls);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (item === null ? [] : [[name, dropNulls(item)]])),
  );
}
