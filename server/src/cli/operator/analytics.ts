import { type AnalyticsCheck, checkAnalytics } from '#analytics/actions/check-analytics';
import type { FigureDrift } from '#analytics/actions/check-conversation-sums';
import type { JsonObject } from '#core/json';
import { MESSAGE_MEASURES, QUARTER_MS } from '#events/domain/message-sums';
import type { OperatorCommand } from './command.ts';
import { optionalWhole, tenantOf } from './input.ts';

const DEFAULT_DAYS = 31;
/** As long as a report may be. */
const MAX_DAYS = 366;

/** Compares the sums of reports with the messages, and those of conversations with the events. */
export const checkAnalyticsCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  const days = optionalWhole(input, 'days', { min: 1, max: MAX_DAYS }) ?? DEFAULT_DAYS;
  const { complete, checked, drifts, conversations } = await checkAnalytics(rt, db, { tenantId, days });
  return {
    tenant: tenantId,
    days,
    conversations_since: dayOf(conversations.sinceMs),
    complete,
    checked: checked + conversations.checked,
    data: [...drifts.flatMap(figuresOf), ...conversations.drifts].map(presentFigure),
  };
};

function figuresOf({ sums, facts, ...place }: AnalyticsCheck['drifts'][number]): readonly FigureDrift[] {
  const figures = MESSAGE_MEASURES.map((measure, n) => ({
    ...place,
    measure,
    sum: sums[n] ?? 0,
    facts: facts[n] ?? 0,
  }));
  return figures.filter((figure) => figure.sum !== figure.facts);
}

function presentFigure({ dimension, key, quarter, measure, sum, facts }: FigureDrift): JsonObject {
  return { day: dayOf(quarter * QUARTER_MS), dimension, key, measure, sum, facts };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
