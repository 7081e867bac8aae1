import { localTimeMs } from '#analytics/store/analytics-reads';
import type { Period } from '#core/calendar';
import { openZone, type Stretch, stretchesOf } from '#core/time-zone';
import type { Database } from '#database/database';

const DEFAULT_REPORT_MS = 7 * 24 * 60 * 60 * 1000;

/** What a caller asks for: `YYYY-MM-DD` is the midnight of the zone's clocks; otherwise a moment in milliseconds. */
export type PeriodEdge = { readonly date: string } | { readonly atMs: number };

export interface PeriodInput {
  readonly from: PeriodEdge | null;
  readonly to: PeriodEdge | null;
  readonly timeZone: string;
  readonly nowMs: number;
  /** What it is widened to: whole quarters of an hour, or whole days. */
  readonly unitMs: number;
}

/** The time of a report: until now and the seven days before, when nothing is said. */
export async function reportPeriod(db: Database, { from, to, timeZone, nowMs, unitMs }: PeriodInput): Promise<Period> {
  const edgeMs = async (edge: PeriodEdge) => ('date' in edge ? localTimeMs(db, edge.date, timeZone) : edge.atMs);
  const endMs = to === null ? nowMs : await edgeMs(to);
  const startMs = from === null ? endMs - DEFAULT_REPORT_MS : await edgeMs(from);
  return {
    startMs: Math.floor(startMs / unitMs) * unitMs,
    endMs: Math.ceil(endMs / unitMs) * unitMs,
  };
}

/** The parts of a period in which the clocks of a zone are not changed; as a rule one, or one per season. */
export function clockStretches(timeZone: string, { startMs, endMs }: Period): readonly Stretch[] {
  const zone = openZone(timeZone);
  if (zone === null) throw new Error(`${timeZone} is not a time zone.`);
  const parts: Stretch[] = [];
  for (const part of stretchesOf(zone, startMs, endMs)) {
    const last = parts.at(-1);
    if (last?.offsetMs === part.offsetMs) parts[parts.length - 1] = { ...last, endMs: part.endMs };
    else parts.push(part);
  }
  return parts;
}

/** The time of the same length right before. */
export function previousPeriod({ startMs, endMs }: Period): Period {
  return { startMs: startMs - (endMs - startMs), endMs: startMs };
}
