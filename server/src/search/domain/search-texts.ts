import { type Contact, displayName } from '#contacts/domain/contact';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { isMediaType } from '#media/domain/media-content';
import { facts } from './search-kind.ts';

/*
 * The text of each thing that is searched: what is indexed of it, and what the snippet of a hit is cut from.
 */

/** What a person reads of a message, wherever it stands in the objects of the network and of the API. */
const READ: ReadonlySet<string> = new Set([
  ...['body', 'text', 'caption', 'filename', 'title', 'description', 'display_text', 'emoji', 'name', 'address'],
  ...['formatted_name', 'phone', 'email', 'company', 'department', 'street', 'city', 'state', 'zip', 'country'],
]);
/** Objects whose values are all read. */
const VALUES: ReadonlySet<string> = new Set(['variables']);

/** Between texts that do not belong together. */
const BREAK = '\n';

/** A message, as it is stored. */
export interface MessageTexts {
  readonly body: string | null;
  readonly content: JsonObject;
  readonly filename: string | null;
}

export function textOfMessage({ body, content, filename }: MessageTexts): string {
  const texts = [body ?? '', ...readTexts(content, false), filename ?? ''];
  return distinct(texts);
}

function readTexts(value: JsonValue, isRead: boolean): readonly string[] {
  if (typeof value === 'string') return isRead ? [value] : [];
  if (isJsonList(value)) return value.flatMap((item) => readTexts(item, isRead));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (VALUES.has(key)) return Object.values(inner ?? {}).flatMap((one) => readTexts(one as JsonValue, true));
    return readTexts(inner ?? null, READ.has(key));
  });
}

export function textOfContact(
  contact: Pick<
    Contact,
    'name' | 'profileName' | 'username' | 'phone' | 'userId' | 'externalId' | 'tags' | 'attributes'
  >,
): string {
  const { name, profileName, username, phone, userId, externalId, tags, attributes } = contact;
  const values = Object.values(attributes).flatMap((value) => (isJsonList(value) ? value : [value]));
  const texts = values.filter((value) => typeof value === 'string');
  return distinct([name, profileName, phone, userId, username, externalId, ...tags, ...texts]);
}

/** A conversation with the contact that it is with. */
export interface ConversationTexts {
  readonly number: number | null;
  readonly tags: readonly string[];
  readonly contact: Pick<Contact, 'name' | 'profileName' | 'phone'>;
}

export function textOfConversation({ number, tags, contact }: ConversationTexts): string {
  return distinct([displayName(contact), contact.phone, number === null ? null : `#${number}`, ...tags]);
}

function distinct(texts: readonly (string | null)[]): string {
  const given = texts.filter((text): text is string => text !== null && text !== '');
  return [...new Set(given)].join(BREAK);
}

const LINK = /(?:https?:\/\/|\bwww\.)\S/i;

/** What is true of a message. */
export function factsOfMessage(
  message: {
    readonly inbound: boolean;
    readonly type: string;
    readonly phoneNumberId: string;
    /** The agent who wrote it; null: none did. */
    readonly agentId: string | null;
  },
  text: string,
): readonly string[] {
  const { inbound, type, phoneNumberId, agentId } = message;
  return [
    facts.any,
    inbound ? facts.inbound : facts.outbound,
    facts.number(phoneNumberId),
    ...(isMediaType(type) ? [facts.media] : []),
    ...factsOfText(text),
    ...(agentId === null ? [] : [facts.agent(agentId)]),
  ];
}

export function factsOfNote(
  { phoneNumberId, agentId }: { readonly phoneNumberId: string; readonly agentId: string | null },
  text: string,
): readonly string[] {
  const author = agentId === null ? [] : [facts.agent(agentId)];
  return [facts.any, facts.note, facts.number(phoneNumberId), ...factsOfText(text), ...author];
}

function factsOfText(text: string): readonly string[] {
  return LINK.test(text) ? [facts.link] : [];
}
