import { cutText, isJsonList, isJsonObject, type JsonObject, type JsonValue, toSafeJson } from '#core/json';
import { idOf, labelOf, MAX_LABEL_LENGTH, objectOf, personOf, timeOf } from '#core/json-fields';
import { readBook } from './callback-book.ts';
import { type CallPlace, readCall, readCallStatus } from './callback-calls.ts';
import { readEchoes } from './callback-echoes.ts';
import { readHistory } from './callback-history.ts';
import { readIdentityUpdates } from './callback-identity.ts';
import { readContacts, readMessage } from './callback-inbound.ts';
import type { CallbackItem, IgnoredItem, OtherItem } from './callback-items.ts';
import { readNotice } from './callback-notices.ts';
import { readNumberChange } from './callback-numbers.ts';
import { readPreferences } from './callback-preferences.ts';
import { readStatus } from './callback-status.ts';
import { readTemplateChange } from './callback-template.ts';

/** The network promises at most 1,000 updates per callback; ten times that is a fault or an attack. */
export const MAX_CALLBACK_ITEMS = 10_000;

/** The one product that this service talks to. */
const OBJECT = 'whatsapp_business_account';

/**
 * Turns the parsed body of a network callback into items: one for every message, status and error of every change of
 * every entry, one for every member of any other list beside them, and one for every other change, in the order of the
 * body. What is malformed becomes an ignored item with
 * its reason, so that nothing is lost silently. Never throws; texts come out fit for PostgreSQL. Above
 * MAX_CALLBACK_ITEMS the rest is one ignored item that counts it.
 */
export function interpretCallback(body: unknown): readonly CallbackItem[] {
  return interpretSafeCallback(toSafeJson(body));
}

/** The same for a body that is fit for PostgreSQL already (`parseSafeJson`). */
export function interpretSafeCallback(body: JsonValue): readonly CallbackItem[] {
  const items: CallbackItem[] = [];
  let surplus = 0;
  for (const item of bodyItems(body)) {
    if (items.length < MAX_CALLBACK_ITEMS) items.push(item);
    else surplus += 1;
  }
  if (surplus > 0) {
    const reason = `${surplus} more items are above the limit of ${MAX_CALLBACK_ITEMS} per callback.`;
    items.push(ignored(reason, surplus));
  }
  return items;
}

function* bodyItems(body: JsonValue): Generator<CallbackItem> {
  if (!isJsonObject(body)) return yield ignored('The body is not a JSON object.', body);
  // Some recorded callbacks leave `object` out, so only a different product is refused.
  if (body.object !== undefined && body.object !== OBJECT) {
    return yield ignored(`The callback is not about a ${OBJECT}.`, body);
  }
  if (!isJsonList(body.entry) || body.entry.length === 0) return yield ignored('The body has no entries.', body);
  for (const entry of body.entry) yield* entryItems(entry);
}

function* entryItems(entry: JsonValue): Generator<CallbackItem> {
  if (!isJsonObject(entry)) return yield ignored('An entry is not an object.', entry);
  if (!isJsonList(entry.changes) || entry.changes.length === 0) {
    return yield ignored('An entry has no changes.', entry);
  }
  for (const change of entry.changes) {
    for (const item of changeItems(entry, change)) yield item.kind === 'other' ? withEntry(item, entry) : item;
  }
}

function withEntry(item: OtherItem, entry: JsonObject): OtherItem {
  const [networkAccountId, at] = [idOf(entry.id), timeOf(entry.time)];
  return { ...item, ...(networkAccountId === null ? {} : { networkAccountId }), ...(at === null ? {} : { at }) };
}

function* changeItems(entry: JsonObject, change: JsonValue): Generator<CallbackItem> {
  if (!isJsonObject(change)) return yield ignored('A change is not an object.', change);
  const { field, value } = change;
  if (typeof field !== 'string') return yield ignored('A change names no field.', change);
  if (field === 'messages') return yield* messagesItems(change);
  if (field === 'calls' && isJsonObject(value)) return yield* callsItems(change, value);
  const identities = field === 'user_id_update' ? readIdentityUpdates(objectOf(value)) : null;
  if (identities !== null) return yield* identities;
  const echoes = readEchoes(field, value);
  if (echoes !== null) return yield* echoes;
  const history = readHistory(entry, field, value);
  if (history !== null) return yield* history;
  const book = readBook(field, value);
  if (book !== null) return yield* book;
  const preferences = readPreferences(field, value);
  if (preferences !== null) return yield* preferences;
  const numbers = readNumberChange(entry, field, value);
  if (numbers !== null) return yield numbers;
  const template = readTemplateChange(field, entry, value);
  if (template !== null) return yield template;
  const notice = readNotice(entry, field, value);
  if (notice !== null) return yield notice;
  yield {
    kind: 'other',
    field: cutText(field, MAX_LABEL_LENGTH),
    phoneNumberId: phoneNumberIdOf(objectOf(value)),
    name: labelOf(field),
    // The entry's id names the account, and with its time distinguishes a repetition from a new report.
    raw: { entry_id: entry.id ?? null, entry_time: entry.time ?? null, field, value: value ?? null },
  };
}

function* messagesItems(change: JsonObject): Generator<CallbackItem> {
  const { value } = change;
  if (!isJsonObject(value)) return yield ignored('A change of messages has no value.', change);
  const phoneNumberId = phoneNumberIdOf(value);
  const contacts = readContacts(value.contacts);
  const identities = readIdentityUpdates(value);
  const items = [
    ...listItems(value, 'messages', (raw) => readMessage(raw, phoneNumberId, contacts)),
    ...listItems(value, 'statuses', (raw) => readStatus(raw, phoneNumberId)),
    ...listItems(value, 'errors', (raw) => readError(raw, phoneNumberId)),
    ...(identities ?? []),
    ...Object.keys(value)
      .filter((key) => !readMembers.has(key) && !(identities && key === 'user_id_update'))
      .flatMap((key) => unreadItems(key, value[key], phoneNumberId)),
  ];
  if (items.length > 0) yield* items;
  else yield ignored('A change of messages holds neither messages nor statuses nor errors.', change);
}

/** Errors that stand beside a single call are its own. */
function* callsItems(change: JsonObject, value: JsonObject): Generator<CallbackItem> {
  const { calls, errors, metadata } = value;
  const isOne = isJsonList(calls) && calls.length === 1;
  const place: CallPlace = {
    phoneNumberId: phoneNumberIdOf(value),
    businessPhone: personOf(objectOf(metadata).display_phone_number, undefined).phone,
    contacts: readContacts(value.contacts),
    errors: isOne ? errors : undefined,
  };
  const items = [
    ...listItems(value, 'calls', (raw) => readCall(raw, place)),
    ...listItems(value, 'statuses', (raw) => readCallStatus(raw, place)),
    ...(isOne ? [] : listItems(value, 'errors', (raw) => readError(raw, place.phoneNumberId))),
  ];
  if (items.length > 0) yield* items;
  else yield ignored('A change of calls holds neither calls nor statuses.', change);
}

/** The members of a change of messages that are read, or say where it belongs. */
const readMembers: ReadonlySet<string> = new Set([
  'messaging_product',
  'metadata',
  'contacts',
  'messages',
  'statuses',
  'errors',
]);

/** What stands beside the messages and is read by nothing: each member of a list, or an object as a whole. */
function unreadItems(key: string, value: JsonValue | undefined, phoneNumberId: string | null): readonly CallbackItem[] {
  const found = isJsonList(value) ? value : [value].filter(isJsonObject);
  return found.map((raw) => ({ kind: 'other', field: 'messages', phoneNumberId, name: labelOf(key), raw }));
}

/** The items of one array of a change; an absent array has none, and anything but an array is one ignored item. */
function listItems(
  value: JsonObject,
  key: 'messages' | 'calls' | 'statuses' | 'errors',
  read: (raw: JsonValue) => CallbackItem,
): readonly CallbackItem[] {
  const list = value[key];
  if (list === undefined || list === null) return [];
  return isJsonList(list) ? list.map(read) : [ignored(`The ${key} of a change are not a list.`, list)];
}

/** A failure of the account or the system, about no single message. */
function readError(raw: JsonValue, phoneNumberId: string | null): CallbackItem {
  if (!isJsonObject(raw)) return ignored('An error is not an object.', raw);
  return { kind: 'other', field: 'messages', phoneNumberId, name: 'value_error', raw };
}

function phoneNumberIdOf(value: JsonObject): string | null {
  return idOf(objectOf(value.metadata).phone_number_id);
}

function ignored(reason: string, raw: JsonValue): IgnoredItem {
  return { kind: 'ignored', reason, raw };
}
