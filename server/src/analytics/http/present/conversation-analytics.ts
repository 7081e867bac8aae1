import type { ConversationFigures } from '#analytics/actions/conversation-figures';
import type { Histograms } from '#analytics/store/conversation-analytics-reads';
import { CONVERSATION_MEASURES, type ConversationCounts, type Timed } from '#conversations/domain/conversation-tally';
import { countIn, type Histogram, quantilesOf } from '#core/duration-histogram';
import type { JsonObject } from '#core/json';

const SHARES = [0.5, 0.9, 0.99];

/** Null where a report is about messages alone. */
export function presentConversationCounts(counts: ConversationCounts | null): JsonObject {
  if (counts === null) return Object.fromEntries(CONVERSATION_MEASURES.map((measure) => [measure, null]));
  const { opened, reopened, resolved, assigned, replies } = counts;
  return { opened, reopened, resolved, assigned, replies };
}

/** Figures of conversations, as they leave. */
export function presentFigures({ counts, histograms }: ConversationFigures): JsonObject {
  return { ...presentConversationCounts(counts), ...presentTimeFields(histograms) };
}

export function presentTimeFields(histograms: Histograms | null): JsonObject {
  return {
    first_response: presentTimes(histograms, 'first_response'),
    reply: presentTimes(histograms, 'reply'),
    resolution: presentTimes(histograms, 'resolution'),
  };
}

const NONE: Histogram = new Map();

/** Quantiles in seconds. */
function presentTimes(histograms: Histograms | null, timed: Timed): JsonObject {
  const byClock = histograms?.[timed] ?? NONE;
  const [p50, p90, p99] = quantilesOf(byClock, SHARES).map(seconds);
  const [inHours50, inHours90, inHours99] = quantilesOf(histograms?.[`${timed}_business`] ?? NONE, SHARES).map(seconds);
  return {
    count: countIn(byClock),
    p50_s: p50 ?? null,
    p90_s: p90 ?? null,
    p99_s: p99 ?? null,
    business_p50_s: inHours50 ?? null,
    business_p90_s: inHours90 ?? null,
    business_p99_s: inHours99 ?? null,
  };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 100) / 10;
}
