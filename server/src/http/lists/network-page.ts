import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { JsonObject } from '#core/json';
import type { Answer } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { pageExample } from '#http/schemas/examples';
import { DEFAULT_LIMIT, listOf } from '#http/schemas/lists';
import { type ListIdentity, makeCursor, readCursor } from './cursor.ts';
import { linkNext } from './page.ts';

/** A list that the network keeps: pages are its own, and cursors lead on with its own words. */
interface NetworkList<T> {
  readonly cursorKey: string;
  /** Names the list in its cursors: those of another list are refused. */
  readonly name: string;
  readonly filter?: ListIdentity['filter'];
  readonly read: (window: { readonly limit: number; readonly after: string | null }) => Promise<{
    readonly items: readonly T[];
    /** Where the page ends, in the network's words; null on the last page. */
    readonly after: string | null;
  }>;
  readonly present: (item: T) => JsonObject;
}

/**
 * Answers a page of what the network lists.
 * @throws ApiProblem validation_failed for a cursor of another list
 */
export async function answerNetworkList<T>(
  request: FastifyRequest<{ Querystring: { readonly limit?: number; readonly cursor?: string } }>,
  reply: FastifyReply,
  { cursorKey, name, filter = {}, read, present }: NetworkList<T>,
): Promise<JsonObject> {
  const list = { name, tenantId: principalOf(request).tenantId, filter };
  const { limit = DEFAULT_LIMIT, cursor } = request.query;
  const after = cursor === undefined ? null : fromHex(readCursor(cursorKey, list, cursor));
  const page = await read({ limit, after });
  const next = page.after === null ? null : makeCursor(cursorKey, list, Buffer.from(page.after).toString('hex'));
  if (next !== null) linkNext(request, reply, limit, next);
  return {
    data: page.items.map(present),
    page: { limit, offset: 0, has_more: next !== null, next_cursor: next },
  };
}

function fromHex(hex: string): string {
  return Buffer.from(hex.replaceAll('-', ''), 'hex').toString();
}

/** The answer of such a list, as an operation declares it. */
export function networkPageAnswer(items: string, view: TSchema, example: JsonObject): Answer {
  return {
    status: 200,
    description: `A page of ${items}.`,
    schema: listOf(view, `A page of ${items}.`),
    example: pageExample(example),
    headers: ['Link'],
  };
}
