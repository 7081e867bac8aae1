import type { NumberItem } from '#accounts/domain/number-item';
import { applyNumberChanges, findReportedNumbers } from '#accounts/store/number-changes';
import type { SqlRunner } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import { withNumberEvents } from './change-number.ts';

/**
 * Stores what callbacks tell of numbers. Twice or late changes nothing, and nobody is told of it.
 * @returns whether anybody has such a number
 */
export async function storeNumberChanges(
  tx: SqlRunner,
  events: EventSink,
  { item, nowMs }: { readonly item: NumberItem; readonly nowMs: number },
): Promise<boolean> {
  const places = await findReportedNumbers(tx, item);
  const reportedMs = item.at ?? nowMs;
  for (const place of places) {
    await withNumberEvents(tx, events, place, () => applyNumberChanges(tx, place, { item, reportedMs }));
  }
  return places.length > 0;
}
