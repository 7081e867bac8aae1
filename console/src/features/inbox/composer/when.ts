/** Times as people write them ("tomorrow 9"), in a time zone of their own. */

const DAY_MS = 86_400_000;
const DEFAULT_HOUR = 9;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS };

/** A date and a time on the clocks of a zone. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** What the clocks of a zone show. */
export function wallTime(ms: number, zone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const read = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return { year: read('year'), month: read('month'), day: read('day'), hour: read('hour'), minute: read('minute') };
}

const asUtc = ({ year, month, day, hour, minute }: WallTime): number => Date.UTC(year, month - 1, day, hour, minute);

/** When the clocks of a zone show this. A time that a change of the clocks leaves out is that of after the change. */
export function instantOf(wall: WallTime, zone: string): number {
  const wanted = asUtc(wall);
  let ms = wanted;
  for (let round = 0; round < 2; round++) ms += wanted - asUtc(wallTime(ms, zone));
  return ms;
}

/**
 * The instant that a text means: "tomorrow 9", "friday 14:30", "in 2 hours", "18:00", "9pm". Without a time of day it is
 * nine in the morning; a time that is over today means tomorrow. Null: it is not understood.
 */
export function parseWhen(text: string, nowMs: number, zone: string): number | null {
  const words = text.trim().toLowerCase();
  const span = /^in (\d{1,3}) ?(m|h|d)(?:in(?:ute)?s?|ours?|ays?)?$/.exec(words);
  if (span) return nowMs + Number(span[1]) * (UNIT_MS[span[2] ?? ''] ?? 0);
  const match = /^([a-z]+)?(?:^|\s+|$)(?:at )?(?:(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?)?$/.exec(words);
  if (match === null || words === '') return null;
  const [, dayWord, hourText, minuteText = '0', half] = match;
  const time =
    hourText === undefined ? { hour: DEFAULT_HOUR, minute: 0 } : timeOf(Number(hourText), Number(minuteText), half);
  if (time === null || (dayWord === undefined && hourText === undefined)) return null;
  const today = wallTime(nowMs, zone);
  const days = daysTo(dayWord, today);
  if (days === null) return null;
  const at = (ahead: number) => {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + ahead));
    const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    return instantOf({ ...day, ...time }, zone);
  };
  const first = at(days);
  if (first > nowMs || dayWord === 'tomorrow') return first;
  return at(days + (dayWord === undefined || dayWord === 'today' ? 1 : 7));
}

function timeOf(hour: number, minute: number, half: string | undefined): Pick<WallTime, 'hour' | 'minute'> | null {
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return null;
  const whole = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return { hour: whole, minute };
}

function daysTo(word: string | undefined, { year, month, day }: WallTime): number | null {
  if (word === undefined || word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  const wanted = DAYS.findIndex((name) => word.length >= 3 && name.startsWith(word));
  if (wanted === -1) return null;
  return (wanted - new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 7) % 7;
}

/** The zone of a country whose clocks all show the same; null: there are several, or the browser does not know. */
export function zoneOfCountry(country: string | null, nowMs: number): string | null {
  if (country === null) return null;
  try {
    const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & {
      readonly timeZones?: readonly string[];
      readonly getTimeZones?: () => readonly string[] | undefined;
    };
    const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
    const offsets = new Set(zones.map((zone) => asUtc(wallTime(nowMs, zone))));
    return offsets.size === 1 ? (zones[0] ?? null) : null;
  } catch {
    return null;
  }
}
