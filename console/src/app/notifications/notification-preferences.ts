/** What a person prefers to be notified of, with defaults; as the service reads the same preferences. */

export const NOTIFICATION_KINDS = ['assigned', 'mentioned', 'window_closing', 'message_failed', 'new_message'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
export const CHANNELS = ['page', 'desktop'] as const;
export type Channel = (typeof CHANNELS)[number];
export type Channels = Readonly<Record<Channel, boolean>>;

export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
}

export interface NotificationPreferences {
  readonly kinds: Readonly<Record<NotificationKind, Channels>>;
  readonly sound: boolean;
  readonly quiet_hours: QuietHours | null;
  /** Whether what is pushed to devices has the text of messages and notes. */
  readonly push_text: boolean;
}

type Preferences = Readonly<Record<string, unknown>>;

/** @param preferences as `GET /v1/me` answers them */
export function readPreferences(preferences: Preferences): NotificationPreferences {
  const given = (preferences.notifications ?? {}) as Partial<NotificationPreferences>;
  const kinds = (given.kinds ?? {}) as Partial<Record<NotificationKind, Partial<Channels>>>;
  const channelsOf = (kind: NotificationKind): Channels => {
    const isUsual = kind !== 'new_message';
    return { page: kinds[kind]?.page ?? isUsual, desktop: kinds[kind]?.desktop ?? isUsual };
  };
  return {
    kinds: Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, channelsOf(kind)])) as Record<
      NotificationKind,
      Channels
    >,
    sound: given.sound ?? true,
    quiet_hours: given.quiet_hours ?? null,
    push_text: given.push_text ?? false,
  };
}

/** Whether nothing may sound or pop up now. */
export function isQuiet({ quiet_hours: hours }: Pick<NotificationPreferences, 'quiet_hours'>, now: Date): boolean {
  if (hours === null) return false;
  const { from, to, time_zone: timeZone } = hours;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
