/** What callbacks report of accounts and numbers beyond what is acted on: tenants get it as events. */

import type { NoticeItem } from '#accounts/domain/account-notice';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, labelOf, objectOf, shortTextOf, timeOf } from '#core/json-fields';
import type { OtherItem } from './callback-items.ts';

const MAX_WORD = 64;

/** The fields that are about an account or a number of it. */
export const noticeFields: readonly string[] = [
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'business_capability_update',
  'business_status_update',
  'business_username_updates',
  'flows',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'template_correct_category_detection',
];

/** The item of a change; null when it is about something else, has no content, or does not name the account. */
export function readNotice(entry: JsonObject, field: string, value: JsonValue | undefined): NoticeItem | null {
  if (!noticeFields.includes(field) || !isJsonObject(value)) return null;
  // What happens between partners is reported under the id of the partner.
  const networkAccountId = idOf(objectOf(value.waba_info).waba_id) ?? idOf(entry.id);
  if (networkAccountId === null) return null;
  return {
    kind: 'notice',
    networkAccountId,
    field,
    event: eventOf(value),
    ...numberOf(value),
    at: timeOf(entry.time),
    value,
    raw: { entry_id: entry.id ?? null, entry_time: entry.time ?? null, field, value },
  };
}

/** What a tenant is told of something that nothing here acts on. */
export function unreadNotice({ field, name, phoneNumberId, at, raw }: OtherItem, networkAccountId: string): NoticeItem {
  const report = objectOf(raw);
  return {
    ...{ kind: 'notice', isUnread: true, networkAccountId, phoneNumberId, displayPhone: null, field, raw },
    event: name === labelOf(field) ? null : name,
    at: at ?? null,
    // A whole change is kept together with what stood around it.
    value: report.entry_id === undefined ? report : objectOf(report.value),
  };
}

/** Alerts have a type instead; older ones without an object around it. */
function eventOf(value: JsonObject): string | null {
  const words = [value.event, objectOf(value.alert_info).alert_type, value.alert_type];
  return words.map((word) => shortTextOf(word, MAX_WORD)).find((word) => word !== null) ?? null;
}

/** The number that a report is about, in either spelling; both null: it names none. */
export function numberOf(value: JsonObject): Pick<NoticeItem, 'displayPhone' | 'phoneNumberId'> {
  const digits = (shortTextOf(value.display_phone_number, MAX_WORD) ?? '').replace(/[^0-9]/g, '');
  const ofAlert = value.entity_type === 'PHONE_NUMBER' ? idOf(value.entity_id) : null;
  const phoneNumberId = idOf(value.phone_number_id) ?? idOf(objectOf(value.metadata).phone_number_id) ?? ofAlert;
  return { displayPhone: digits || null, phoneNumberId };
}
