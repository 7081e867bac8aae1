import type { NumberItem } from '#accounts/domain/number-item';
import { applyNumberChanges, findReportedNumbers } from '#accounts/store/number-changes';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import { withNumberEvents } from './change-number.ts';

/**
 * Stores what callbacks report of numbers. A repeated or late report changes nothing and records no event.
 * @returns whether any tenant has such a number
 */
export async function storeNumberChanges(
  tx: Transaction,
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
