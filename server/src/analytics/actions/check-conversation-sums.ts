import { readConversationDays } from '#analytics/store/conversation-analytics-check';
import { CONVERSATION_MEASURES, ConversationTally, DURATIONS } from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import { countIn, readHistogram, writeHistogram } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { EventType } from '#events/domain/event';
import { byDays, DAY_QUARTERS, QUARTER_MS } from '#events/domain/message-sums';
import { findEvent, firstSequenceSince, readEventBounds, readEvents } from '#events/store/events';

/** A figure of one key on one day that is not what the events say. */
export interface FigureDrift {
  readonly dimension: string;
  readonly key: string;
  /** First quarter of the day, UTC. */
  readonly quarter: number;
  /** What is counted, or timed: then it is how often. */
  readonly measure: string;
  /** Of two histograms that differ with equal counts, the buckets. */
  readonly sum: number | string;
  readonly facts: number | string;
}

export interface ConversationCheck {
  /** Events of earlier days are no longer kept, or were not requested. */
  readonly sinceMs: number;
  /** Days of keys that were compared. */
  readonly checked: number;
  readonly drifts: readonly FigureDrift[];
}

const DAY_MS = DAY_QUARTERS * QUARTER_MS;
/** What happened on a day is recorded a moment later, or by the clock of another process a moment before. */
const MARGIN_MS = 60 * 60 * 1000;
const EVENTS_AT_ONCE = 2_000;
const TYPES = [
  'conversation.opened',
  'conversation.reopened',
  'conversation.assigned',
  'conversation.replied',
  'conversation.resolved',
] as const satisfies readonly EventType[];

/**
 * Compares the sums and histograms of conversations with the events that they were made of, by whole days of UTC, as
 * far back as those are kept: only events say what a conversation was when something happened in it.
 */
export async function checkConversationSums(
  db: Database,
  { tenantId, period, limit }: { readonly tenantId: TenantId; readonly period: Period; readonly limit: number },
): Promise<ConversationCheck> {
  const startMs = Math.max(period.startMs, (await firstWholeDay(db, tenantId)) ?? period.endMs);
  const { upTo, days } = await readConversationDays(db, tenantId, { ...period, startMs });
  const facts = daysOf(await tallyOf(db, tenantId, { sinceMs: startMs, upTo }), { ...period, startMs });
  const sums = new Map(days.map((day) => [nameOf(day), day]));
  const names = [...new Set([...sums.keys(), ...facts.keys()])].toSorted().toReversed();
  const drifts = names.flatMap((name) =>
    driftsOf(name, { sums: sums.get(name) ?? NOTHING, facts: facts.get(name) ?? NOTHING }),
  );
  return { sinceMs: startMs, checked: names.length, drifts: drifts.slice(0, limit) };
}

/** The first day of which every event is kept; null: none is kept. */
async function firstWholeDay(db: Database, tenantId: TenantId): Promise<number | null> {
  const { oldestSeq } = await readEventBounds(db, tenantId);
  if (oldestSeq === 1) return 0;
  const oldest = await findEvent(db, tenantId, oldestSeq);
  return oldest && Math.floor(oldest.recordedMs / DAY_MS + 1) * DAY_MS;
}

/** Adds up again what the sums were made of. */
async function tallyOf(
  db: Database,
  tenantId: TenantId,
  { sinceMs, upTo }: { readonly sinceMs: number; readonly upTo: number },
): Promise<ConversationTally> {
  const tally = new ConversationTally();
  let after = (await firstSequenceSince(db, tenantId, sinceMs - MARGIN_MS)) - 1;
  while (after < upTo) {
    const events = await readEvents(db, { tenantId, after, types: TYPES, limit: EVENTS_AT_ONCE });
    for (const event of events) if (event.sequence <= upTo) tally.addEvent(event);
    after = events.at(-1)?.sequence ?? upTo;
  }
  return tally;
}

interface Day {
  readonly counts: readonly number[];
  readonly histograms: readonly string[];
}

const NOTHING: Day = { counts: CONVERSATION_MEASURES.map(() => 0), histograms: DURATIONS.map(() => '[]') };

/** The days of a period by their names, in the form in which they are stored. */
function daysOf({ deltas, durations }: ConversationTally, { startMs, endMs }: Period): ReadonlyMap<string, Day> {
  const isIn = ({ quarter }: Place) => quarter * QUARTER_MS >= startMs && quarter * QUARTER_MS < endMs;
  const days = new Map<string, Day>();
  for (const day of byDays(deltas).filter(isIn)) {
    days.set(nameOf(day), { ...NOTHING, counts: CONVERSATION_MEASURES.map((measure) => day.counts[measure]) });
  }
  for (const day of durations.filter(({ span }) => span === DAY_QUARTERS).filter(isIn)) {
    const histograms = DURATIONS.map((duration) => writeHistogram(day.histograms.get(duration) ?? new Map()));
    days.set(nameOf(day), { ...(days.get(nameOf(day)) ?? NOTHING), histograms });
  }
  return days;
}

type Place = Pick<FigureDrift, 'dimension' | 'key' | 'quarter'>;

/** Sorted backwards, the newest day comes first: quarters have seven digits until the year 2255. */
function nameOf({ dimension, key, quarter }: Place): string {
  return JSON.stringify([quarter, dimension, key]);
}

function placeOf(name: string): Place {
  const [quarter, dimension, key] = JSON.parse(name) as [number, string, string];
  return { dimension, key, quarter };
}

function driftsOf(name: string, { sums, facts }: { readonly sums: Day; readonly facts: Day }): readonly FigureDrift[] {
  const place = placeOf(name);
  const counts = CONVERSATION_MEASURES.map((measure, n) => {
    return { ...place, measure, sum: sums.counts[n] ?? 0, facts: facts.counts[n] ?? 0 };
  });
  const times = DURATIONS.map((measure, n) => {
    return { ...place, measure, ...timesOf(sums.histograms[n] ?? '[]', facts.histograms[n] ?? '[]') };
  });
  return [...counts, ...times].filter((figure) => figure.sum !== figure.facts);
}

/** How often something was timed; where that is the same, the buckets, which may differ. */
function timesOf(sum: string, facts: string): Pick<FigureDrift, 'sum' | 'facts'> {
  const counts = { sum: countIn(readHistogram(sum)), facts: countIn(readHistogram(facts)) };
  return counts.sum === counts.facts ? { sum, facts } : counts;
}
