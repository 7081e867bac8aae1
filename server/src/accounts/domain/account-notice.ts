import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#core/json';
import { isJsonList } from '#core/json';
import { objectOf, shortTextOf } from '#core/json-fields';

/** What the network reports of an account or of a number, and what nothing here acts on. */
export interface NoticeItem {
  readonly kind: 'notice';
  /** The account that it is about, by the network's id. */
  readonly networkAccountId: string;
  /** The subscribed field. */
  readonly field: string;
  /** The network's word for what happened, such as PARTNER_REMOVED; null: the field says it all. */
  readonly event: string | null;
  /** The number that it is about, by its digits or by the network's id; both null: the whole account. */
  readonly displayPhone: string | null;
  readonly phoneNumberId: string | null;
  /** Milliseconds since 1970, exact to a second; null: undated. */
  readonly at: number | null;
  readonly value: JsonObject;
  readonly raw: JsonValue;
  /** Of a kind that this service does not know: it may be about a customer of the business. */
  readonly isUnread?: true;
}

/** The report as the network sent it is far smaller; a larger one is not repeated in an event. */
const MAX_VALUE_BYTES = 16 * 1024;
const MAX_WORD = 200;
/** A sentence of the network's own; those that are known have two or three lines. */
const MAX_SENTENCE = 1_000;
const ID_DIGITS = 32;

/** Identifies a report: the same whenever the network repeats it, or a stored callback is replayed. */
export function noticeId({ raw }: Pick<NoticeItem, 'raw'>): string {
  return createHash('sha256').update(JSON.stringify(raw)).digest('hex').slice(0, ID_DIGITS);
}

/** What an event shows of the report; null when that is too large. */
export function noticeValue({ value }: Pick<NoticeItem, 'value'>): JsonObject | null {
  return Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES ? null : value;
}

type Say = (value: JsonObject) => string;

const fixed =
  (sentence: string): Say =>
  () =>
    sentence;

/** Sentences for what happened, by the network's word for it. */
const byEvent: ReadonlyMap<string, Say> = new Map<string, Say>([
  ['ACCOUNT_DELETED', fixed('The account was deleted at the network.')],
  [
    'ACCOUNT_VIOLATION',
    (value) => `The account violated a policy of the network${of(objectOf(value.violation_info).violation_type)}.`,
  ],
  ['ACCOUNT_RESTRICTION', (value) => `The network restricted the account${of(restrictionsOf(value))}.`],
  ['DISABLED_UPDATE', sayBan],
  ['ACCOUNT_OFFBOARDED', fixed('The account no longer uses the network through this app.')],
  ['ACCOUNT_RECONNECTED', fixed('The account uses the network through this app again.')],
  ['VERIFIED_ACCOUNT', fixed('The network verified the account.')],
  ['PARTNER_ADDED', fixed('The account was shared with a partner.')],
  ['PARTNER_REMOVED', fixed('The account is no longer shared with a partner.')],
  ['PARTNER_APP_INSTALLED', fixed('The app of a partner was installed for the account.')],
  ['PARTNER_APP_UNINSTALLED', fixed('The app of a partner was removed from the account.')],
  ['PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE', fixed('The certification of the account by a partner changed.')],
  ['AD_ACCOUNT_LINKED', fixed('An advertising account was linked to the account.')],
  ['MM_LITE_TERMS_SIGNED', fixed('The terms of the Marketing Messages API were accepted for the account.')],
  [
    'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
    fixed('The prices of authentication messages to other countries changed for the account.'),
  ],
  ['BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE', (value) => `The country of the business changed${of(value.country)}.`],
  [
    'VOLUME_BASED_PRICING_TIER_UPDATE',
    (value) => `The account reached another price tier${of(objectOf(value.volume_tier_info).tier)}.`,
  ],
  ['PIN_CHANGED', fixed('The PIN of two-step verification of the number was changed.')],
  ['PIN_RESET_REQUEST', fixed('Somebody asked to turn off two-step verification of the number.')],
  ['PIN_RESET_SUCCESS', fixed('Two-step verification of the number was turned off.')],
  ['ONBOARDING', fixed('The number was registered at the network.')],
]);

/** Sentences for fields that have no word for what happened, or have too many. */
const byField: ReadonlyMap<string, Say> = new Map<string, Say>([
  ['account_alerts', sayAlert],
  ['account_review_update', (value) => `The network reviewed the account${of(value.decision)}.`],
  ['account_settings_update', fixed('Settings of a number or of the account changed at the network.')],
  ['business_capability_update', fixed('The limits of the business changed at the network.')],
  ['business_status_update', (value) => `The status of the business changed at the network${of(value.event)}.`],
  ['business_username_updates', (value) => `The username of the business changed${of(value.status ?? value.event)}.`],
  ['history', sayHistory],
  ['flows', (value) => sayOr(value.message, `A form of the account changed${of(value.event)}.`)],
  ['partner_solutions', (value) => `A solution of several partners changed${of(value.event)}.`],
  ['payment_configuration_update', (value) => `A payment configuration changed${of(value.status)}.`],
  ['phone_number_name_update', (value) => `The network reviewed the display name of the number${of(value.decision)}.`],
  ['template_correct_category_detection', sayCategory],
]);

type Sayable = Pick<NoticeItem, 'field' | 'event' | 'value' | 'isUnread'>;

/** One sentence for people about what the network reported. */
export function noticeSentence({ field, event, value, isUnread }: Sayable): string {
  if (isUnread) return `The network reported something that nothing here acts on: ${event ?? field}.`;
  const say = byEvent.get(event ?? '') ?? byField.get(field);
  return say?.(value) ?? `The network reported something about the account: ${event ?? field}.`;
}

/** `: SPAM`, or nothing when the network does not say. */
function of(word: JsonValue | undefined): string {
  const text = typeof word === 'number' ? String(word) : shortTextOf(word, MAX_WORD);
  return text ? `: ${text}` : '';
}

function sayOr(sentence: JsonValue | undefined, otherwise: string): string {
  return shortTextOf(sentence, MAX_SENTENCE) ?? otherwise;
}

function restrictionsOf({ restriction_info: list }: JsonObject): string | undefined {
  const types = (isJsonList(list) ? list : []).map((one) => shortTextOf(objectOf(one).restriction_type, MAX_WORD));
  return types.filter((type) => type !== null).join(', ') || undefined;
}

function sayBan({ ban_info: ban }: JsonObject): string {
  const { waba_ban_state: state, waba_ban_date: date } = objectOf(ban);
  if (state !== 'SCHEDULE_FOR_DISABLE') return `The network changed whether the account is disabled${of(state)}.`;
  const day = shortTextOf(date, MAX_WORD);
  return day ? `The network will disable the account on ${day}.` : 'The network will disable the account.';
}

function sayAlert({ alert_info: info, ...flat }: JsonObject): string {
  const alert = info === undefined ? flat : objectOf(info);
  return sayOr(alert.alert_description, `The network raised an alert${of(alert.alert_type)}.`);
}

/** The network's code for a business that does not share what was before. */
const NOT_SHARED = 2593109;

function sayHistory({ errors, phase, progress }: JsonObject): string {
  const [error] = isJsonList(errors) ? errors : [];
  if (error !== undefined) {
    const { code, message, title } = objectOf(error);
    if (code === NOT_SHARED) return 'The business does not share the messages from before the API was used.';
    return `The network does not hand over the messages from before the API was used${of(message ?? title ?? code)}.`;
  }
  if (progress === 100) return 'The network has handed over all messages from before the API was used.';
  const far = typeof progress === 'number' ? `, ${progress} %` : '';
  return `The network hands over messages from before the API was used${of(phase === null ? undefined : `phase ${String(phase)}${far}`)}.`;
}

function sayCategory({ message_template_name: name, correct_category: category }: JsonObject): string {
  const template = shortTextOf(name, MAX_WORD);
  return `The network would put ${template ? `the template ${template}` : 'a template'} in another category${of(category)}.`;
}
