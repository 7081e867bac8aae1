import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { openZone } from '#core/time-zone';

/** Why an agent can be notified. */
export const notificationKinds = ['assigned', 'mentioned', 'window_closing', 'message_failed', 'new_message'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Where a kind of notification appears. */
export const notificationChannels = ['page', 'desktop'] as const;

/** Without `page`, there is no notification at all. */
export type Channels = Readonly<Record<(typeof notificationChannels)[number], boolean>>;

/** Hours of the day in which nothing sounds or pops up. They may go past midnight. */
export interface QuietHours {
  /** In the form 22:00. */
  readonly from: string;
  readonly to: string;
  /** An IANA name. */
  readonly timeZone: string;
}

export interface NotificationPreferences {
  readonly kinds: Readonly<Record<NotificationKind, Channels>>;
  readonly sound: boolean;
  readonly quietHours: QuietHours | null;
  /** Whether what is pushed to devices has the text of messages and notes. */
  readonly pushText: boolean;
}

const EVERYWHERE: Channels = { page: true, desktop: true };
const NOWHERE: Channels = { page: false, desktop: false };
const DEFAULTS: NotificationPreferences['kinds'] = {
  assigned: EVERYWHERE,
  mentioned: EVERYWHERE,
  window_closing: EVERYWHERE,
  message_failed: EVERYWHERE,
  // Lists show unread messages already.
  new_message: NOWHERE,
};
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const FIELDS: readonly string[] = ['kinds', 'sound', 'quiet_hours', 'push_text'];
const HOURS_FIELDS: readonly string[] = ['from', 'to', 'time_zone'];

/** What a person prefers, with defaults for what they did not choose. @param preferences as `PATCH /v1/me` stores them */
export function readNotificationPreferences(preferences: JsonObject | undefined): NotificationPreferences {
  const given = objectOf(preferences?.notifications);
  const kinds = objectOf(given.kinds);
  const channelsOf = (kind: NotificationKind): Channels => ({ ...DEFAULTS[kind], ...objectOf(kinds[kind]) });
  const hours = isJsonObject(given.quiet_hours) ? given.quiet_hours : null;
  return {
    kinds: Object.fromEntries(notificationKinds.map((kind) => [kind, channelsOf(kind)])) as Record<
      NotificationKind,
      Channels
    >,
    sound: given.sound !== false,
    pushText: given.push_text === true,
    quietHours: hours && { from: String(hours.from), to: String(hours.to), timeZone: String(hours.time_zone) },
  };
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Whether nothing may sound or pop up at a moment. */
export function isQuietAt({ quietHours }: Pick<NotificationPreferences, 'quietHours'>, ms: number): boolean {
  const zone = quietHours && openZone(quietHours.timeZone);
  if (quietHours === null || zone === null) return false;
  const minute = Math.floor((ms + zone.offsetAt(ms)) / MINUTE_MS) % DAY_MINUTES;
  const [from, to] = [minuteOf(quietHours.from), minuteOf(quietHours.to)];
  return from <= to ? from <= minute && minute < to : from <= minute || minute < to;
}

function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** What is wrong with the preferences of notifications; null: nothing. The place is below `notifications`. */
export function notificationPreferencesFault(
  given: JsonValue,
): { readonly at: string; readonly message: string } | null {
  if (!isJsonObject(given)) return { at: '', message: 'notifications must be an object.' };
  const unknown = Object.keys(given).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return { at: `.${unknown}`, message: `notifications has no field ${unknown}.` };
  for (const name of ['sound', 'push_text']) {
    const isFine = given[name] === undefined || typeof given[name] === 'boolean';
    if (!isFine) return { at: `.${name}`, message: `${name} must be true or false.` };
  }
  return kindsFault(given.kinds) ?? quietHoursFault(given.quiet_hours);
}

function kindsFault(kinds: JsonValue | undefined): ReturnType<typeof notificationPreferencesFault> {
  if (kinds === undefined) return null;
  if (!isJsonObject(kinds)) return { at: '.kinds', message: 'kinds must be an object.' };
  for (const [kind, channels] of Object.entries(kinds)) {
    const at = `.kinds.${kind}`;
    if (!notificationKinds.some((one) => one === kind))
      return { at, message: `${kind} is not a kind of notification.` };
    if (!isJsonObject(channels)) return { at, message: `${kind} must be an object.` };
    for (const [channel, isOn] of Object.entries(channels)) {
      const isKnown = notificationChannels.some((one) => one === channel);
      if (!isKnown || typeof isOn !== 'boolean')
        return { at: `${at}.${channel}`, message: `${kind} has page and desktop, each true or false.` };
    }
  }
  return null;
}

function quietHoursFault(hours: JsonValue | undefined): ReturnType<typeof notificationPreferencesFault> {
  if (hours === undefined || hours === null) return null;
  const at = '.quiet_hours';
  const isWhole = isJsonObject(hours) && Object.keys(hours).every((name) => HOURS_FIELDS.includes(name));
  if (!isWhole) return { at, message: 'quiet_hours must be null, or have from, to and time_zone.' };
  for (const name of ['from', 'to']) {
    if (!TIME.test(String(hours[name])))
      return { at: `${at}.${name}`, message: `${name} must be a time such as 22:00.` };
  }
  const isZone = openZone(String(hours.time_zone)) !== null;
  return isZone ? null : { at: `${at}.time_zone`, message: 'time_zone must be a time zone such as Europe/Berlin.' };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
