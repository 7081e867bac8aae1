import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KnownIds } from './known-ids.ts';
import { storeAndRead } from './store-and-read.ts';

/* A whole run against a service of a few lines that stores values, and misbehaves as requested. */
type Flaw = 'none' | 'fails_on_a_value' | 'loses_a_row' | 'repeats_a_row' | 'exports_less' | 'misses_by_filter';

const known = new Proxy({} as KnownIds, { get: () => [] });
const json = (schema: object) => ({ headers: { 'X-Request-Id': {} }, content: { 'application/json': { schema } } });
const refusal = json({ type: 'object' });
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const thing = { type: 'object', properties: { tag: { type: 'string', maxLength: 20 } }, required: ['tag'] };
const page = [query('limit', { type: 'integer' }), query('cursor', { type: 'string' })];
const filter = query('tag', { type: 'string' });
const document = {
  paths: {
    '/v1/things': {
      post: {
        operationId: 'createThing',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: thing, examples: { one: { value: { tag: 'a' } } } } },
        },
        responses: { 201: json({ type: 'object' }), 400: refusal },
      },
      get: { operationId: 'listThings', parameters: [...page, filter], responses: { 200: json({ type: 'object' }) } },
    },
    '/v1/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: json({ type: 'object' }) },
      },
    },
    '/v1/things/export': {
      get: { operationId: 'exportThings', parameters: [filter], responses: { 200: json({ type: 'object' }) } },
    },
  },
  components: { schemas: {} },
};

let flaw: Flaw = 'none';
let things: { readonly id: string; readonly tag: string }[] = [];
let server: Server;
let base: string;

async function answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
  const url = new URL(request.url ?? '', 'http://localhost');
  if (url.pathname === '/v1/openapi.json') return { status: 200, body: document };
  if (request.method === 'POST') return store(JSON.parse(await text(request)));
  const wanted = url.searchParams.get('tag');
  const odd = flaw === 'fails_on_a_value' && things.some(({ tag }) => tag === '0000-01-01');
  if (odd && wanted !== null) return { status: 500, body: {} };
  const kept = things.filter(({ tag }) => wanted === null || (flaw !== 'misses_by_filter' && tag === wanted));
  if (url.pathname === '/v1/things/export') {
    return { status: 200, body: { data: flaw === 'exports_less' ? kept.slice(1) : kept } };
  }
  return url.pathname === '/v1/things'
    ? { status: 200, body: pageOf(kept, url.searchParams) }
    : { status: 200, body: {} };
}

function store({ tag }: { readonly tag?: unknown }): { readonly status: number; readonly body: unknown } {
  if (typeof tag !== 'string' || [...tag].length > 20) return { status: 400, body: {} };
  const one = { id: `t${things.length}`, tag };
  things.push(one);
  return { status: 201, body: one };
}

function pageOf(all: readonly object[], search: URLSearchParams): object {
  const rows = flaw === 'loses_a_row' ? all.slice(1) : all;
  const [start, limit] = [Number(search.get('cursor') ?? 0), Number(search.get('limit') ?? 50)];
  const end = start + limit;
  const next = flaw === 'repeats_a_row' ? end - 1 : end;
  return { data: rows.slice(start, end), page: { next_cursor: end < rows.length ? String(next) : null } };
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { status, body } = await answer(request).catch((error: Error) => ({ status: 500, body: error.stack }));
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A request must not meet a connection that has just rested for too long.
  server.keepAliveTimeout = 0;
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  things = [];
});
afterAll(() => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return closed;
});

const run = () => storeAndRead({ base, key: 'k', known, seed: 1, each: 100 });

test('a service that does everything right passes, and all that it has is stored and read', async () => {
  flaw = 'none';
  const { failures, stored, read } = await run();
  expect(failures).toEqual([]);
  expect(stored.bodies.get('createThing')).toBeGreaterThan(40);
  expect([...read.answers.keys()]).toEqual(['listThings', 'getThing', 'exportThings']);
  expect([...read.parameters].toSorted()).toEqual(
    ['exportThings?tag', 'listThings?cursor', 'listThings?limit', 'listThings?tag'].toSorted(),
  );
});

test.each<[Flaw, string]>([
  ['fails_on_a_value', 'not_a_server_error'],
  ['loses_a_row', 'lists_every_row'],
  ['misses_by_filter', 'lists_every_row'],
  ['repeats_a_row', 'walks_each_row_once'],
  ['exports_less', 'exports_every_row'],
])('a service that %s is found out: %s', async (wrong, check) => {
  flaw = wrong;
  const { failures } = await run();
  expect(failures.map((failure) => failure.check)).toContain(check);
});
