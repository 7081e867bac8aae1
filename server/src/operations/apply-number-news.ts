import type { NumberItem } from '#core/callback';
import type { SqlRunner } from '#storage/database';
import { applyNumberNews, findToldNumbers } from '#storage/number-news';
import { tellingNumber } from './change-number.ts';
import type { EventSink } from './with-events.ts';

/**
 * Stores what callbacks tell of numbers. Twice or late changes nothing, and nobody is told of it.
 * @returns whether anybody has such a number
 */
export async function storeNumberNews(
  tx: SqlRunner,
  events: EventSink,
  { news, nowMs }: { readonly news: NumberItem; readonly nowMs: number },
): Promise<boolean> {
  const places = await findToldNumbers(tx, news);
  const toldMs = news.at ?? nowMs;
  for (const place of places) {
    await tellingNumber(tx, events, place, () => applyNumberNews(tx, place, { news, toldMs }));
  }
  return places.length > 0;
}
