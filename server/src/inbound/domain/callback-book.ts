/** The book of contacts of the app on the business's phone, beside the API on the same number. */
import { cutText, isJsonList, isJsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, personOf, textOf, timeOf } from '#core/json-fields';
import type { BookItem, CallbackItem } from './callback-items.ts';

const FIELD = 'smb_app_state_sync';
/** Names end up in indexes; real ones are far shorter. */
const MAX_NAME_LENGTH = 256;

/** The entries of a change, each an item; null: the change is about something else. */
export function readBook(field: string, value: JsonValue | undefined): readonly CallbackItem[] | null {
  if (field !== FIELD || !isJsonObject(value) || !isJsonList(value.state_sync)) return null;
  const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id);
  return value.state_sync.map((raw) => readEntry(raw, phoneNumberId));
}

function readEntry(raw: JsonValue, phoneNumberId: string | null): CallbackItem {
  const refused = (reason: string): CallbackItem => ({ kind: 'ignored', reason, raw });
  if (!isJsonObject(raw)) return refused("An entry of the phone's book is not an object.");
  if (raw.type !== 'contact') return refused("An entry of the phone's book is not a contact.");
  const contact = objectOf(raw.contact);
  const at = timeOf(objectOf(raw.metadata).timestamp);
  const { phone: from, userId } = personOf(contact.phone_number, contact.user_id);
  if (phoneNumberId === null) return refused("An entry of the phone's book names no business number.");
  if (at === null) return refused("An entry of the phone's book has no usable timestamp.");
  if (from === null && userId === null) return refused("An entry of the phone's book does not say who it is about.");
  const entry: Omit<BookItem, 'name'> = { kind: 'book', phoneNumberId, from, userId, at };
  if (raw.action === 'remove') return { ...entry, name: null };
  if (raw.action !== 'add' && raw.action !== 'edit')
    return refused("An entry of the phone's book does not say what was done.");
  const name = (textOf(contact.full_name) || textOf(contact.first_name) || '').trim();
  return name === ''
    ? refused("An entry of the phone's book has no name.")
    : { ...entry, name: cutText(name, MAX_NAME_LENGTH) };
}
