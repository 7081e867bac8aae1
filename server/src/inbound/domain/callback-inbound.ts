import { cutText, isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, type Person, personOf, textOf, timeOf } from '#core/json-fields';
import { isChange, readMessageChange } from './callback-changes.ts';
import { readContent } from './callback-content.ts';
import { readSystemChange } from './callback-identity.ts';
import type { CallbackItem } from './callback-items.ts';

/** Names end up in indexes; real ones are far shorter. */
const MAX_NAME_LENGTH = 256;

/** The people of one change, found by phone number or by user id. */
export interface CallbackContacts {
  readonly byId: ReadonlyMap<string, CallbackContact>;
  /** The contact when there is exactly one: it is then the sender of a message that names none. */
  readonly sole: CallbackContact | null;
}

interface CallbackContact extends Person {
  readonly profileName: string | null;
  readonly username: string | null;
}

const nobody: CallbackContact = { phone: null, userId: null, profileName: null, username: null };

/** Reads `contacts[]` of a change; anything malformed in it counts as absent. */
export function readContacts(contacts: JsonValue | undefined): CallbackContacts {
  const known = (isJsonList(contacts) ? contacts : []).filter(isJsonObject).map(contactOf);
  const byId = new Map<string, CallbackContact>();
  for (const contact of known) {
    if (contact.phone !== null) byId.set(contact.phone, contact);
    if (contact.userId !== null) byId.set(contact.userId, contact);
  }
  return { byId, sole: known.length === 1 ? (known[0] ?? null) : null };
}

/** One member of `messages[]` as one item (the network's reference of its messages webhook). */
export function readMessage(raw: JsonValue, phoneNumberId: string | null, contacts: CallbackContacts): CallbackItem {
  if (!isJsonObject(raw)) return { kind: 'ignored', reason: 'A message is not an object.', raw };
  const networkMessageId = idOf(raw.id);
  const at = timeOf(raw.timestamp);
  if (networkMessageId === null) return { kind: 'ignored', reason: 'A message has no id.', raw };
  if (at === null) return { kind: 'ignored', reason: 'A message has no usable timestamp.', raw };
  if (phoneNumberId === null) return { kind: 'ignored', reason: 'A message names no business number.', raw };
  const named = senderOf(raw, contacts);
  const identityChange = readSystemChange(raw, named);
  // A report of a user id names nobody but in what it reports.
  const sender = named.phone === null && named.userId === null ? { ...named, ...identityChange?.previous } : named;
  if (sender.phone === null && sender.userId === null) {
    return { kind: 'ignored', reason: 'A message does not say who sent it.', raw };
  }
  if (isChange(raw)) return readMessageChange(raw, { phoneNumberId, changeId: networkMessageId, at, sender });
  const { opensWindow, ...said } = readContent(raw);
  const groupId = idOf(raw.group_id);
  return {
    kind: 'inbound',
    phoneNumberId,
    networkMessageId,
    ...said,
    at,
    from: sender.phone,
    userId: sender.userId,
    profileName: sender.profileName,
    username: sender.username,
    groupId,
    // What is said in a group is not said to the business.
    opensWindow: opensWindow && groupId === null,
    referral: isJsonObject(raw.referral) ? raw.referral : null,
    ...(identityChange === null ? {} : { identityChange }),
  };
}

function senderOf(message: JsonObject, contacts: CallbackContacts): CallbackContact {
  return completePerson(personOf(message.from, message.from_user_id), contacts);
}

/** Somebody as an item names him, completed by what `contacts[]` says about the same person. */
export function completePerson(named: Person, contacts: CallbackContacts): CallbackContact {
  if (named.phone === null && named.userId === null) return contacts.sole ?? nobody;
  const contact = contacts.byId.get(named.userId ?? '') ?? contacts.byId.get(named.phone ?? '') ?? nobody;
  return { ...contact, phone: named.phone ?? contact.phone, userId: named.userId ?? contact.userId };
}

function contactOf(contact: JsonObject): CallbackContact {
  const profile = objectOf(contact.profile);
  return {
    ...personOf(contact.wa_id, contact.user_id),
    profileName: nameOf(profile.name),
    username: nameOf(profile.username),
  };
}

function nameOf(value: JsonValue | undefined): string | null {
  const name = textOf(value);
  return name ? cutText(name, MAX_NAME_LENGTH) : null;
}
