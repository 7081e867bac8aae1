import type { CallbackId } from '#core/ids';

/*
 * Callbacks that are stored together share a row of `callbacks`, a page. The id of a callback is that of its page with its place there, from 1 on, as
 * the last byte: so the queue, which lists callbacks one by one, needs no column that says where they are, and their ids grow like those
 * of pages. Rows from before there were pages hold one callback each, under its own id, whatever its last byte is.
 */

/** Places of a page: what a byte counts, without the 0 of the page itself. */
export const PLACES_OF_PAGE = 255;

const PLACE_DIGITS = 2;

/** The id of a page: a fresh id with 00 as its last byte. */
export function pageIdOf(freshId: string): string {
  return `${freshId.slice(0, -PLACE_DIGITS)}00`;
}

/** @param place from 1 to `PLACES_OF_PAGE` */
export function callbackAt(pageId: string, place: number): CallbackId {
  return `${pageId.slice(0, -PLACE_DIGITS)}${place.toString(16).padStart(PLACE_DIGITS, '0')}` as CallbackId;
}

/** The row `c` that holds a callback, whether or not it shares it. An expression for `join callbacks c on …`. */
export function holdsCallbackSql(callbackId: string): string {
  return `c.callback_id = any(array[${callbackId}, (left(${callbackId}::text, -${PLACE_DIGITS}) || '00')::uuid])`;
}

/** Whether the row `c` holds a callback, whose index can be searched for all that it holds. An expression. */
export function isHeldSql(callbackId: string): string {
  return `${callbackId} between c.callback_id and (left(c.callback_id::text, -${PLACE_DIGITS}) || 'ff')::uuid`;
}

/** The body of a callback in its row `c`. An expression. */
export function bodySql(callbackId: string): string {
  return `coalesce(c.bodies[('x' || right(${callbackId}::text, ${PLACE_DIGITS}))::bit(8)::int], c.body)`;
}

/** The ids of the callbacks in the row `c`. A query. */
export const CALLBACK_IDS = `
  select case when c.bodies is null then c.callback_id
    else (left(c.callback_id::text, -${PLACE_DIGITS}) || lpad(to_hex(place), ${PLACE_DIGITS}, '0'))::uuid end as callback_id
  from generate_series(1, coalesce(cardinality(c.bodies), 1)) place`;

/** When the oldest callback came that waits to be interpreted. An expression. */
export const OLDEST_WAITING_MS = `(
    select c.received_ms from callback_queue q join callbacks c on ${holdsCallbackSql('q.callback_id')}
    order by q.callback_id limit 1)`;
