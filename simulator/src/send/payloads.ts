/** The essentials of each message type's payload: what must be there and how long it may be. */
import { isJsonObject, type JsonObject } from '../json.ts';
import { type NetworkError, networkError } from './errors.ts';

type Check = (payload: JsonObject) => NetworkError | null;

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;
const MAX_CONTACTS = 257;
const MAX_BODY = 1024;
const MAX_LIST_BODY = 4096;
const MAX_TEMPLATE_NAME = 512;
const BODYLESS = new Set(['product', 'product_list', 'catalog_message']);

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['text', checkText],
  ['image', (payload) => checkMedia('image', payload)],
  ['video', (payload) => checkMedia('video', payload)],
  ['audio', checkAudio],
  ['document', (payload) => checkMedia('document', payload)],
  ['sticker', (payload) => checkMedia('sticker', payload)],
  ['location', checkLocation],
  ['reaction', checkReaction],
  ['interactive', checkInteractive],
  ['template', checkTemplate],
]);

/** Null when `type` is a message type and its member of the body has the essentials, else the network's refusal. */
export function checkPayload(type: string, body: JsonObject): NetworkError | null {
  if (type === 'contacts') return checkContacts(body.contacts);
  const check = CHECKS.get(type);
  if (check === undefined) return networkError(131051, `Message type "${type}" is not supported.`);
  const payload = body[type];
  if (payload === undefined) return networkError(131008, `Parameter '${type}' is mandatory for type '${type}'`);
  if (!isJsonObject(payload)) return networkError(100, `Param ${type} must be a JSON object.`);
  return check(payload);
}

/** Characters as the network counts them: code points. */
export function lengthOf(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) count--;
  }
  return count;
}

function checkText(payload: JsonObject): NetworkError | null {
  const { preview_url: previewUrl } = payload;
  if (previewUrl !== undefined && typeof previewUrl !== 'boolean') {
    return networkError(100, "Param text['preview_url'] must be a boolean.");
  }
  return checkString("text['body']", payload.body, 1, MAX_TEXT);
}

function checkMedia(type: string, payload: JsonObject): NetworkError | null {
  const { id, link, caption } = payload;
  const given = [id, link].filter((value) => value !== undefined);
  if (given.length === 0) return networkError(131008, `Parameter ${type}['id'] or ${type}['link'] is required.`);
  if (given.length === 2) return networkError(100, `Only one of ${type}['id'] and ${type}['link'] is allowed.`);
  if (typeof given[0] !== 'string' || given[0] === '') return networkError(131009, `${type}: not a media id or link.`);
  if (typeof link === 'string' && !/^https?:\/\//i.test(link)) {
    return networkError(131009, `Param ${type}['link'] must be an http or https address.`);
  }
  return caption === undefined ? null : checkString(`${type}['caption']`, caption, 0, MAX_CAPTION);
}

function checkAudio(payload: JsonObject): NetworkError | null {
  if (payload.caption !== undefined) return networkError(100, 'Unexpected key "caption" on param "audio".');
  return checkMedia('audio', payload);
}

function checkLocation(payload: JsonObject): NetworkError | null {
  for (const [name, bound] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = payload[name];
    if (value === undefined) return networkError(131008, `Parameter location['${name}'] is required.`);
    const degrees = typeof value === 'string' && value !== '' ? Number(value) : value;
    if (typeof degrees !== 'number' || !(Math.abs(degrees) <= bound)) {
      return networkError(131009, `Param location['${name}'] must be a number from -${bound} to ${bound}.`);
    }
  }
  return null;
}

function checkReaction(payload: JsonObject): NetworkError | null {
  return (
    checkString("reaction['message_id']", payload.message_id, 1, 512) ??
    checkString("reaction['emoji']", payload.emoji, 0, 64)
  );
}

function checkContacts(value: unknown): NetworkError | null {
  if (value === undefined) return networkError(131008, "Parameter 'contacts' is mandatory for type 'contacts'");
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONTACTS) {
    return networkError(100, `Param contacts must be an array of 1 to ${MAX_CONTACTS} contacts.`);
  }
  for (const [i, contact] of value.entries()) {
    const name: unknown = isJsonObject(contact) ? contact.name : undefined;
    const formatted = isJsonObject(name) ? name.formatted_name : undefined;
    if (typeof formatted !== 'string' || formatted === '') {
      return networkError(131008, `Parameter contacts[${i}]['name']['formatted_name'] is required.`);
    }
  }
  return null;
}

function checkInteractive(payload: JsonObject): NetworkError | null {
  const { type, body, action } = payload;
  if (typeof type !== 'string' || type === '')
    return networkError(131008, "Parameter interactive['type'] is required.");
  if (!isJsonObject(action)) return networkError(131008, "Parameter interactive['action'] is required.");
  if (!BODYLESS.has(type)) {
    const text = isJsonObject(body) ? body.text : undefined;
    const fault = checkString("interactive['body']['text']", text, 1, type === 'list' ? MAX_LIST_BODY : MAX_BODY);
    if (fault !== null) return fault;
  }
  if (type === 'button') return checkButtons(action.buttons);
  if (type === 'list') return checkList(action);
  return null;
}

function checkButtons(buttons: unknown): NetworkError | null {
  if (!Array.isArray(buttons) || buttons.length < 1 || buttons.length > 3) {
    return networkError(131009, "Param interactive['action']['buttons'] must hold 1 to 3 buttons.");
  }
  const ids = new Set<unknown>();
  for (const button of buttons as readonly unknown[]) {
    const reply = isJsonObject(button) ? button.reply : undefined;
    if (!isJsonObject(reply)) return networkError(131008, "Each button needs a 'reply' with 'id' and 'title'.");
    const fault = checkString("reply['id']", reply.id, 1, 256) ?? checkString("reply['title']", reply.title, 1, 20);
    if (fault !== null) return fault;
    ids.add(reply.id);
  }
  return ids.size === buttons.length ? null : networkError(131009, 'Button ids must differ from each other.');
}

function checkList(action: JsonObject): NetworkError | null {
  const fault = checkString("interactive['action']['button']", action.button, 1, 20);
  if (fault !== null) return fault;
  const { sections } = action;
  if (!Array.isArray(sections) || sections.length < 1 || sections.length > 10) {
    return networkError(131009, "Param interactive['action']['sections'] must hold 1 to 10 sections.");
  }
  const rows = (sections as readonly unknown[]).flatMap(rowsOf);
  if (rows.length < 1 || rows.length > 10) return networkError(131009, 'A list holds 1 to 10 rows over all sections.');
  return rows.map(checkRow).find((found) => found !== null) ?? null;
}

function rowsOf(section: unknown): readonly unknown[] {
  const rows: unknown = isJsonObject(section) ? section.rows : undefined;
  return Array.isArray(rows) ? rows : [];
}

function checkRow(row: unknown): NetworkError | null {
  if (!isJsonObject(row)) return networkError(100, 'A row must be a JSON object.');
  return checkString("row['id']", row.id, 1, 200) ?? checkString("row['title']", row.title, 1, 24);
}

function checkTemplate(payload: JsonObject): NetworkError | null {
  const { language, components } = payload;
  const fault = checkString("template['name']", payload.name, 1, MAX_TEMPLATE_NAME);
  if (fault !== null) return fault;
  const code = isJsonObject(language) ? language.code : undefined;
  if (typeof code !== 'string' || code === '') {
    return networkError(131008, "Parameter template['language']['code'] is required.");
  }
  if (components === undefined || Array.isArray(components)) return null;
  return networkError(100, "Param template['components'] must be an array.");
}

function checkString(name: string, value: unknown, min: number, max: number): NetworkError | null {
  if (value === undefined || value === null) return networkError(131008, `Parameter ${name} is required.`);
  if (typeof value !== 'string') return networkError(100, `Param ${name} must be a string.`);
  const length = lengthOf(value);
  if (length < min) return networkError(131008, `Parameter ${name} must not be empty.`);
  return length > max ? networkError(100, `Param ${name} must be at most ${max} characters long.`) : null;
}
