import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { principalOf } from '#http/plugins/auth';
import type { ListIdentity } from './cursor.ts';
import { answerPage, listWindow, type PageQuery } from './page.ts';

/** A list of the caller's tenant. */
export interface TenantList<T> {
  /** Authenticates its cursors. */
  readonly cursorKey: string;
  /** Names the list in its cursors: those of another list are refused. */
  readonly name: string;
  /** What narrows the list down; a cursor leads on only with the same filter. */
  readonly filter?: ListIdentity['filter'];
  /** Newest first. */
  readonly read: (tenantId: TenantId, window: ListWindow) => Promise<Page<T>>;
  /** The id that the list is ordered by: 32 hex digits, with or without dashes. */
  readonly idOf: (item: T) => string;
  readonly present: (item: T) => JsonObject;
}

/**
 * Answers a list: the page that the query asks for, and the way to the next one.
 * @throws ApiProblem validation_failed for offset together with cursor, or a cursor of another list
 */
export async function answerList<T>(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  from: TenantList<T>,
): Promise<JsonObject> {
  const { cursorKey, idOf, present } = from;
  const { tenantId } = principalOf(request);
  const list = { name: from.name, tenantId, filter: from.filter ?? {} };
  const window = listWindow(request.query, list, cursorKey);
  const page = await from.read(tenantId, window);
  return answerPage(request, reply, { page, window, list, cursorKey, idOf, present });
}
