import type { NumberItem } from '#accounts/domain/number-item';
import { applyNumberChanges, findReportedNumbers } from '#accounts/store/number-news';
import type { SqlRunner } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import { tellingNumber } from './change-number.ts';

/**
 * Stores what callbacks tell of numbers. Twice or late changes nothing, and nobody is told of it.
 * @returns whether anybody has such a number
 */
export async function storeNumberChanges(
  tx: SqlRunner,
  events: EventSink,
  { news, nowMs }: { readonly news: NumberItem; readonly nowMs: number },
): Promise<boolean> {
  const places = await findReportedNumbers(tx, news);
  const reportedMs = news.at ?? nowMs;
  for (const place of places) {
    await tellingNumber(tx, events, place, () => applyNumberChanges(tx, place, { news, reportedMs }));
  }
  return places.length > 0;
}
