/** `contacts`: the cards of one message. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { checkKeys, checkOptionalString, firstFault, isRefusal, requireObject } from './text.ts';

// The network's documents say 257 in one place and 5 in another; the larger one is taken.
const MAX_CONTACTS = 257;
const MAX_MEMBER = 1024;
const BIRTHDAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const NAME_PARTS = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix'];
const LISTS: Readonly<Record<string, readonly string[]>> = {
  phones: ['phone', 'type', 'wa_id'],
  emails: ['email', 'type'],
  addresses: ['street', 'city', 'state', 'zip', 'country', 'country_code', 'type'],
  urls: ['url', 'type'],
};
const KEYS = ['name', 'org', 'birthday', ...Object.keys(LISTS)];

/** Checks every card; the first fault is the answer. */
export function checkContacts(value: unknown): NetworkError | null {
  if (value === undefined) return networkError(131008, "Parameter 'contacts' is mandatory for type 'contacts'");
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONTACTS) {
    return networkError(100, `Param contacts must be an array of 1 to ${MAX_CONTACTS} contacts.`);
  }
  return firstFault(value as readonly unknown[], (contact, i) => checkContact(`contacts[${i}]`, contact));
}

function checkContact(where: string, value: unknown): NetworkError | null {
  const contact = requireObject(where, value);
  if (isRefusal(contact)) return contact;
  const fault = checkKeys(where, contact, KEYS) ?? checkName(where, contact.name);
  if (fault !== null) return fault;
  const { birthday, org } = contact;
  if (birthday !== undefined && !(typeof birthday === 'string' && BIRTHDAY.test(birthday))) {
    return networkError(131009, `Param ${where}['birthday'] must be a date of the form YYYY-MM-DD.`);
  }
  return (
    (org === undefined ? null : checkMembers(`${where}['org']`, org, ['company', 'department', 'title'])) ??
    firstFault(Object.entries(LISTS), ([list, keys]) => checkList(`${where}['${list}']`, contact[list], keys))
  );
}

function checkName(where: string, value: unknown): NetworkError | null {
  const formatted = isJsonObject(value) ? value.formatted_name : undefined;
  if (!isJsonObject(value) || typeof formatted !== 'string' || formatted === '') {
    return networkError(131008, `Parameter ${where}['name']['formatted_name'] is required.`);
  }
  const parts = NAME_PARTS.filter((part) => typeof value[part] === 'string' && value[part] !== '');
  if (parts.length === 0) {
    return networkError(131008, `${where}['name'] needs one of ${NAME_PARTS.join(', ')} beside formatted_name.`);
  }
  return checkMembers(`${where}['name']`, value, ['formatted_name', ...NAME_PARTS]);
}

function checkList(where: string, value: unknown, keys: readonly string[]): NetworkError | null {
  if (value === undefined) return null;
  if (!Array.isArray(value)) return networkError(100, `Param ${where} must be an array.`);
  return firstFault(value as readonly unknown[], (item, i) => checkMembers(`${where}[${i}]`, item, keys));
}

function checkMembers(where: string, value: unknown, keys: readonly string[]): NetworkError | null {
  const object = requireObject(where, value);
  if (isRefusal(object)) return object;
  const fault = checkKeys(where, object as JsonObject, keys);
  return fault ?? firstFault(keys, (key) => checkOptionalString(`${where}['${key}']`, object[key], MAX_MEMBER));
}
