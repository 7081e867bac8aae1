/** What customers tell the network about marketing from a business number ("Offers and announcements" in its app). */

import type { NumberConsent } from '#contacts/domain/contact';
import { cutText, isJsonList, isJsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, type Person, personOf, textOf, timeOf } from '#core/json-fields';
import type { IgnoredItem } from './callback-items.ts';

const MAX_WORDING = 500;

/** A customer's word about marketing from one number. At least one of `from` and `userId` is there. */
export interface PreferenceItem {
  readonly kind: 'preference';
  readonly phoneNumberId: string;
  readonly from: Person['phone'];
  readonly userId: Person['userId'];
  readonly marketing: NumberConsent['marketing'];
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  /** What the network says about it. */
  readonly wording: string | null;
}

const meanings: ReadonlyMap<string, NumberConsent['marketing']> = new Map([
  ['stop', 'denied'],
  ['resume', 'granted'],
  ['signup', 'granted'],
]);

/** The items of a change of `user_preferences`; null: it is none, or names something that is not about marketing. */
export function readPreferences(
  field: string,
  value: JsonValue | undefined,
): readonly (PreferenceItem | IgnoredItem)[] | null {
  if (field !== 'user_preferences') return null;
  const change = objectOf(value);
  const list = change.user_preferences;
  if (!isJsonList(list) || list.length === 0 || !list.every(isAboutMarketing)) return null;
  const phoneNumberId = idOf(objectOf(change.metadata).phone_number_id);
  return list.map((raw) => readPreference(raw, phoneNumberId));
}

function isAboutMarketing(raw: JsonValue): boolean {
  const { category = 'marketing_messages', value } = objectOf(raw);
  return category === 'marketing_messages' && meanings.has(textOf(value) ?? '');
}

function readPreference(raw: JsonValue, phoneNumberId: string | null): PreferenceItem | IgnoredItem {
  const ignored = (reason: string): IgnoredItem => ({ kind: 'ignored', reason, raw });
  if (!isJsonObject(raw)) return ignored('A preference is not an object.');
  const marketing = meanings.get(textOf(raw.value) ?? '');
  const at = timeOf(raw.timestamp);
  const { phone: from, userId } = personOf(raw.wa_id, raw.user_id);
  if (marketing === undefined) return ignored('A preference does not say what is wanted.');
  if (phoneNumberId === null) return ignored('A preference names no business number.');
  if (at === null) return ignored('A preference has no usable timestamp.');
  if (from === null && userId === null) return ignored('A preference does not say whose it is.');
  const detail = textOf(raw.detail);
  return {
    kind: 'preference',
    phoneNumberId,
    from,
    userId,
    marketing,
    at,
    wording: detail && cutText(detail, MAX_WORDING),
  };
}
