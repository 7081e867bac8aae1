import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { DEFAULT_LIMIT } from '#http/schemas/lists';
import { problemOf } from '#http/validation/faults';
import { type ListIdentity, makeCursor, readCursor } from './cursor.ts';

/** What every list takes. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly cursor?: string;
}

/**
 * The part of the list that the query asks for.
 * @throws ApiProblem validation_failed for offset together with cursor, or a cursor of another list
 */
export function listWindow(query: PageQuery, list: ListIdentity, cursorKey: string): ListWindow {
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (query.cursor === undefined) return { limit, offset: query.offset ?? 0, beforeId: null };
  if (query.offset !== undefined) {
    throw problemOf([{ path: 'query.offset', message: 'offset and cursor exclude each other: send one of them.' }]);
  }
  return { limit, offset: 0, beforeId: readCursor(cursorKey, list, query.cursor) };
}

interface PageAnswer<T> {
  readonly page: Page<T>;
  readonly window: ListWindow;
  readonly list: ListIdentity;
  readonly cursorKey: string;
  readonly idOf: (item: T) => string;
  readonly present: (item: T) => JsonObject;
}

/** The body of a list, and its Link header when a further page exists. */
export function answerPage<T>(request: FastifyRequest, reply: FastifyReply, answer: PageAnswer<T>): JsonObject {
  const { page, window, list, cursorKey } = answer;
  const last = page.items.at(-1);
  const nextCursor = page.hasMore && last !== undefined ? makeCursor(cursorKey, list, answer.idOf(last)) : null;
  if (nextCursor !== null) linkNext(request, reply, window.limit, nextCursor);
  return {
    data: page.items.map(answer.present),
    page: { limit: window.limit, offset: window.offset, has_more: page.hasMore, next_cursor: nextCursor },
  };
}

/** Names the next page in the Link header. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, limit: number, cursor: string): void {
  reply.header('link', `<${nextPath(request.url, limit, cursor)}>; rel="next"`);
}

/** The same path and filters, further on: always by cursor, which costs the same on every page. */
function nextPath(url: string, limit: number, cursor: string): string {
  const [path = '', search = ''] = url.split('?', 2);
  const query = new URLSearchParams(search);
  query.delete('offset');
  // Where a page is around something, the next one goes on from there by its cursor alone.
  query.delete('around');
  query.set('limit', String(limit));
  query.set('cursor', cursor);
  return `${path}?${query}`;
}
