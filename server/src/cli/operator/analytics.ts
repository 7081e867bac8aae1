import { MESSAGE_MEASURES, QUARTER_MS } from '#core/analytics';
import type { JsonObject } from '#core/json';
import { checkAnalytics, type SumCheck } from '#operations/check-analytics';
import type { OperatorCommand } from './command.ts';
import { optionalWhole, tenantOf } from './input.ts';

const DEFAULT_DAYS = 31;
/** As long as a report may be. */
const MAX_DAYS = 366;

/** Compares the sums of reports with the messages. */
export const checkAnalyticsCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  const days = optionalWhole(input, 'days', { min: 1, max: MAX_DAYS }) ?? DEFAULT_DAYS;
  const { complete, checked, drifts } = await checkAnalytics(rt, db, { tenantId, days });
  return { tenant: tenantId, days, complete, checked, data: drifts.flatMap(presentDrift) };
};

function presentDrift({ dimension, key, quarter, sums, facts }: SumCheck['drifts'][number]): readonly JsonObject[] {
  const day = new Date(quarter * QUARTER_MS).toISOString().slice(0, 10);
  return MESSAGE_MEASURES.map((measure, place) => {
    return { day, dimension, key, measure, sum: sums[place] ?? 0, messages: facts[place] ?? 0 };
  }).filter(({ sum, messages }) => sum !== messages);
}
