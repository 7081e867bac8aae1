import type { JsonObject } from '../json.ts';
import { type GraphCall, refuseWith } from './call.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;

export type Page<T> = { readonly items: readonly T[]; readonly paging: JsonObject };

/** One page of `items` with the network's cursors; `next` and `previous` are whole addresses, absent at the ends. */
export function pageOf<T extends { readonly id: string }>(
  call: GraphCall,
  items: readonly T[],
  params: JsonObject,
): Page<T> {
  const limit = Math.min(readLimit(params.limit), MAX_LIMIT);
  const start = startOf(items, params, limit);
  const page = items.slice(start, start + limit);
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return { items: page, paging: {} };
  const before = cursorOf(first.id);
  const after = cursorOf(last.id);
  return {
    items: page,
    paging: {
      cursors: { before, after },
      ...(start + limit < items.length ? { next: addressOf(call, { after }) } : {}),
      ...(start > 0 ? { previous: addressOf(call, { before }) } : {}),
    },
  };
}

function startOf(items: readonly { readonly id: string }[], { after, before }: JsonObject, limit: number): number {
  if (typeof after === 'string' && after !== '') return positionOf(items, after) + 1;
  if (typeof before === 'string' && before !== '') return Math.max(0, positionOf(items, before) - limit);
  return 0;
}

function positionOf(items: readonly { readonly id: string }[], cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  const position = items.findIndex((item) => item.id === id);
  return position >= 0 ? position : refuseWith(100, 'The cursor is not valid.');
}

function readLimit(value: unknown): number {
  if (value === undefined || value === '') return DEFAULT_LIMIT;
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1) return refuseWith(100, 'Param limit must be a positive number.');
  return limit;
}

function cursorOf(id: string): string {
  return Buffer.from(id, 'latin1').toString('base64url');
}

function addressOf({ request, path }: GraphCall, cursor: Readonly<Record<string, string>>): string {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
  const query = new URLSearchParams(path.query);
  query.delete('after');
  query.delete('before');
  for (const [name, value] of Object.entries(cursor)) query.set(name, value);
  url.search = query.toString();
  return url.href;
}
