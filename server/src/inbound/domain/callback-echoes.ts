/** Messages that the business wrote with the app on its phone, beside the API on the same number. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, personOf, textOf, timeOf } from '#core/json-fields';
import { isMediaType } from '#media/domain/media-content';
import type { MessageContent } from '#messages/domain/content';
import type { LocationContent } from '#messages/domain/location';
import { isChange, readMessageChange } from './callback-changes.ts';
import { type InboundContent, readContent } from './callback-content.ts';
import type { CallbackItem } from './callback-items.ts';

const FIELD = 'smb_message_echoes';

/** The echoes of a change, each an item; null: the change is about something else. */
export function readEchoes(field: string, value: JsonValue | undefined): readonly CallbackItem[] | null {
  if (field !== FIELD || !isJsonObject(value) || !isJsonList(value.message_echoes)) return null;
  const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id);
  return value.message_echoes.map((raw) => readEcho(raw, phoneNumberId));
}

function readEcho(raw: JsonValue, phoneNumberId: string | null): CallbackItem {
  const refused = (reason: string): CallbackItem => ({ kind: 'ignored', reason, raw });
  if (!isJsonObject(raw)) return refused('An echo is not an object.');
  const networkMessageId = idOf(raw.id);
  const at = timeOf(raw.timestamp);
  const customer = personOf(raw.to, raw.to_user_id);
  const { phone: to, userId } = customer;
  if (networkMessageId === null) return refused('An echo has no id.');
  if (at === null) return refused('An echo has no usable timestamp.');
  if (phoneNumberId === null) return refused('An echo names no business number.');
  if (to === null && userId === null) return refused('An echo does not say who it went to.');
  if (isChange(raw)) {
    const read = readMessageChange(raw, { phoneNumberId, changeId: networkMessageId, at, sender: customer });
    return read.kind === 'change' ? { ...read, kind: 'echo_change' } : read;
  }
  const said = readContent(raw);
  const quotedId = said.context?.quoted?.id ?? null;
  return { kind: 'echo', phoneNumberId, networkMessageId, at, to, userId, content: toSent(said, raw), quotedId };
}

/** What a message says, as one that is sent through the API says it. */
export function toSent({ type, content, body }: InboundContent, original: JsonObject): MessageContent {
  if (type === 'text') return { type, body: body ?? '', previewUrl: content.preview_url === true };
  if (isMediaType(type)) return { type, media: describeMedia(content) };
  switch (type) {
    case 'location':
      return readLocation(content) ?? { type: 'unsupported', original };
    case 'contacts':
      return { type, contacts: (isJsonList(content.contacts) ? content.contacts : []).filter(isJsonObject) };
    case 'reaction':
      return { type, reaction: { message_id: idOf(content.message_id) ?? '', emoji: body ?? '' } };
    case 'interactive':
      return { type, interactive: content };
    default:
      return { type: 'unsupported', original };
  }
}

function readLocation({ latitude, longitude, name, address }: JsonObject): LocationContent | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  const [named, found] = [textOf(name), textOf(address)];
  const words = { ...(named === null ? {} : { name: named }), ...(found === null ? {} : { address: found }) };
  return { type: 'location', location: { latitude, longitude, ...words } };
}

/** What is known of a file without having it. */
function describeMedia(content: JsonObject): { readonly caption?: string; readonly filename?: string } {
  const [caption, filename] = [textOf(content.caption), textOf(content.filename)];
  return { ...(caption === null ? {} : { caption }), ...(filename === null ? {} : { filename }) };
}
