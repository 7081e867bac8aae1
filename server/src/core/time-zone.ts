/** A time zone of the IANA database, as the engine carries it. */
export interface Zone {
  /** Milliseconds that the wall clocks of the zone are ahead of UTC at a moment. */
  offsetAt(ms: number): number;
}

/** Names only: an engine may also take offsets such as +05:30, which know no summer time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The zone of a name such as `Europe/Berlin`; null when there is none. Opening costs far more than asking: keep it. */
export function openZone(name: string): Zone | null {
  const format = NAME.test(name) ? formatOf(name) : null;
  return format === null ? null : { offsetAt: (ms) => wallClockMs(format, ms) - Math.floor(ms / 1000) * 1000 };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const day = { era: 'short', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, ...day, ...time });
  } catch {
    return null;
  }
}

/** What the wall clock shows, to the second, read as if it were UTC. */
function wallClockMs(format: Intl.DateTimeFormat, ms: number): number {
  const shown: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(ms)) shown[type] = value;
  const numberOf = (part: string): number => Number(shown[part]);
  // Before the year 1 comes the year 1 before Christ.
  const year = shown.era === 'BC' ? 1 - numberOf('year') : numberOf('year');
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as those of the twentieth century.
  date.setUTCFullYear(year, numberOf('month') - 1, numberOf('day'));
  return date.setUTCHours(numberOf('hour'), numberOf('minute'), numberOf('second'));
}

/** A stretch of time in which the wall clocks keep one distance from UTC. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMs: number;
}

/** Shorter than any time between two changes of a zone's clocks. */
const STEP_MS = 24 * 60 * 60 * 1000;

/** Cuts a time into stretches at each change of the clocks, and at least once a day. */
export function* stretchesOf(zone: Zone, fromMs: number, toMs: number): Generator<Stretch> {
  let startMs = fromMs;
  let offsetMs = zone.offsetAt(startMs);
  while (startMs < toMs) {
    const stepEnd = Math.min(startMs + STEP_MS, toMs);
    const next = zone.offsetAt(stepEnd);
    const endMs = next === offsetMs ? stepEnd : changeWithin(zone, startMs, stepEnd);
    yield { startMs, endMs, offsetMs };
    startMs = endMs;
    offsetMs = next;
  }
}

/** The first moment of the offset that holds at `endMs`, when another one holds at `startMs`. */
function changeWithin(zone: Zone, startMs: number, endMs: number): number {
  const before = zone.offsetAt(startMs);
  let [low, high] = [startMs, endMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
