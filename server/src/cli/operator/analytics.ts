import { type AnalyticsCheck, checkAnalytics } from '#analytics/actions/check-analytics';
import type { FigureDrift } from '#analytics/actions/check-conversation-sums';
import { EXIT } from '#cli/exit';
import { parseWhole } from '#cli/options';
import { itemsOf, table } from '#cli/output';
import type { JsonObject } from '#core/json';
import { MESSAGE_MEASURES, QUARTER_MS } from '#events/domain/message-sums';
import { type OperatorGroup, TENANT } from './command.ts';
import { optionalWhole, tenantOf } from './input.ts';

const DEFAULT_DAYS = 31;
/** As long as a report may be. */
const MAX_DAYS = 366;

export const analyticsCommands: OperatorGroup = {
  name: 'analytics',
  description: 'check the totals in reports',
  examples: `
Reports use totals that are computed from events. This command recounts the messages, recomputes the totals of conversations from their
events (as far back as events are kept), and shows differences; if there are any, it exits with 1. A message that failed and was queued
again counts as failed in the totals. Durations are compared by number; if that is equal, by buckets and their counts.

Examples:
  postrider analytics check --tenant "Flower shop"
  postrider analytics check --days 366 -o json`,
  commands: {
    /** Compares the sums of reports with the messages, and those of conversations with the events. */
    check: {
      description: 'compare the totals in reports with messages and events, day by day',
      options: {
        tenant: TENANT,
        days: ['--days <n>', 'number of past days, up to 366, in UTC; default: 31', parseWhole],
      },
      work: async ({ rt, db }, input) => {
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
      },
      show: table(
        ({ checked, days }) => `${checked} totals of ${days} days match messages and events.`,
        [
          { title: 'DAY (UTC)', value: (row) => row.day },
          { title: 'BY', value: (row) => row.dimension },
          { title: 'KEY', value: (row) => row.key, flexible: true },
          { title: 'FIGURE', value: (row) => row.measure },
          { title: 'SUM', value: (row) => row.sum, align: 'right' },
          { title: 'FACTS', value: (row) => row.facts, align: 'right' },
        ],
      ),
      judge: (ctx, answer) => {
        if (itemsOf(answer).length === 0) return EXIT.ok;
        if (answer.complete !== true)
          ctx.stderr.write('Events arrived faster than they were counted. Try again when there is less traffic.\n');
        return EXIT.failure;
      },
    },
  },
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
