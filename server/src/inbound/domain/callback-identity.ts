/** How the network says that a customer has another number or user id than before. */

import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, type Person, personOf, textOf, timeOf } from '#core/json-fields';
import { phoneKey } from '#core/phone/phone-key';
import { isUserId } from '#core/phone/recipient';
import type { IgnoredItem } from './callback-items.ts';

/** What one person was known by, and is known by now. Each names something, and they are not the same. */
export interface IdentityChange {
  readonly previous: Person;
  readonly current: Person;
}

/** A change that is reported apart from messages. */
export interface IdentityItem extends IdentityChange {
  readonly kind: 'identity';
  readonly phoneNumberId: string;
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
}

/** System messages about a change; the first had another name in former versions of the network's API. */
const systemTypes: ReadonlySet<string> = new Set([
  'user_changed_number',
  'customer_changed_number',
  'user_changed_user_id',
]);

/** Older reports of user ids name the previous one in their sentence alone. */
const SENTENCE = /\bfrom (\S{1,160}) to (\S{1,160}?)\.?$/;

/**
 * The change that a system message reports; null when it reports none.
 * @param sender as the message names it: the old number, and the user id of before or after
 */
export function readSystemChange(message: JsonObject, sender: Person): IdentityChange | null {
  const system = objectOf(message.system);
  if (message.type !== 'system' || !systemTypes.has(textOf(system.type) ?? '')) return null;
  const current = personOf(system.wa_id ?? system.new_wa_id, system.user_id);
  const named = personOf(system.customer, system.previous_user_id);
  const spoken = textOf(system.body)?.match(SENTENCE);
  const userIds = [named.userId, sender.userId, spoken?.[2] === current.userId ? spoken?.[1] : null];
  const before = userIds.find((id) => id && id !== current.userId) ?? null;
  const previous = {
    phone: sender.phone ?? named.phone,
    userId: before !== null && (before === named.userId || isUserId(before)) ? before : null,
  };
  return isChange({ previous, current }) ? { previous, current } : null;
}

/** The items of a list `user_id_update`; null: the value has none. */
export function readIdentityUpdates(value: JsonObject): readonly (IdentityItem | IgnoredItem)[] | null {
  const list = value.user_id_update;
  if (!isJsonList(list) || list.length === 0) return null;
  const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id);
  return list.map((raw) => readUpdate(raw, phoneNumberId));
}

function readUpdate(raw: JsonValue, phoneNumberId: string | null): IdentityItem | IgnoredItem {
  const ignored = (reason: string): IgnoredItem => ({ kind: 'ignored', reason, raw });
  if (!isJsonObject(raw)) return ignored('A change of a user ID is not an object.');
  const ids = objectOf(raw.user_id);
  const previous = personOf(undefined, ids.previous);
  const current = personOf(raw.wa_id, ids.current);
  const at = timeOf(raw.timestamp);
  if (phoneNumberId === null) return ignored('A change of a user ID names no business number.');
  if (at === null) return ignored('A change of a user ID has no usable timestamp.');
  if (!isChange({ previous, current })) return ignored('A change of a user ID does not say what it was and is.');
  return { kind: 'identity', phoneNumberId, previous, current, at };
}

function isChange({ previous, current }: IdentityChange): boolean {
  const before = keysOf(previous);
  return before.length > 0 && keysOf(current).some((key) => !before.includes(key));
}

function keysOf({ phone, userId }: Person): readonly string[] {
  return [phone === null ? [] : [phoneKey(phone)], userId === null ? [] : [userId]].flat();
}
