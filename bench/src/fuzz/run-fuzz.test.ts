import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KnownIds } from './known-ids.ts';
import { linesOf } from './report.ts';
import { type FuzzReport, type FuzzSpec, runFuzz } from './run-fuzz.ts';

/* A whole run against a service of a few lines, which misbehaves as requested. */
const ID = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const ids = new Proxy({} as KnownIds, { get: () => [ID] });
const json = (schema: object) => ({ headers: { 'X-Request-Id': {} }, content: { 'application/json': { schema } } });
const failure = {
  ...json({ type: 'object', required: ['error'] }),
  headers: { 'X-Request-Id': {}, Allow: {}, 'WWW-Authenticate': {} },
};
const failures = { 400: failure, 401: failure, 404: failure, 405: failure, 415: failure };
const document = {
  paths: {
    '/v1/messages': {
      post: {
        operationId: 'sendMessage',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['to'],
                properties: { to: { type: 'string', minLength: 3, maxLength: 9 } },
                additionalProperties: false,
              },
            },
          },
        },
        responses: { 202: json({ type: 'object', required: ['id'] }), ...failures },
      },
    },
  },
  components: { schemas: {} },
};

let server: Server;
let base: string;
let seen: string[] = [];
/** Set for one test: what the service does wrong. */
let forgets = false;
/** Readings of a message that still meet a database that is away. */
let readingsAway = 0;
let stumblesOver = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { authorization, 'content-type': type } = request.headers;
      const { status, answer } = answerTo({
        method: request.method ?? '',
        url: request.url ?? '',
        authorization,
        type,
        body,
      });
      if (request.url !== '/v1/openapi.json') seen.push(`${request.method} ${request.url} ${body}`);
      const headers = {
        'content-type': 'application/json',
        'x-request-id': '1',
        allow: 'POST',
        'www-authenticate': 'Bearer',
        ...(status === 503 ? { 'retry-after': '0.001' } : {}),
      };
      response.writeHead(status, headers).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
  forgets = false;
  readingsAway = 0;
  stumblesOver = '';
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

function answerTo({ method, url, authorization, type, body }: Asked): { status: number; answer: object } {
  if (url === '/v1/openapi.json') return { status: 200, answer: document };
  if (method === 'GET' && url.startsWith('/v1/messages/')) {
    readingsAway -= 1;
    if (readingsAway >= 0) return { status: 503, answer: { error: 'Later.' } };
    return forgets ? { status: 404, answer: { error: 'No.' } } : { status: 200, answer: { id: ID } };
  }
  if (method !== 'POST') return { status: 405, answer: { error: 'No.' } };
  if (authorization !== 'Bearer k') return { status: 401, answer: { error: 'No.' } };
  if (!type?.startsWith('application/json')) return { status: 415, answer: { error: 'No.' } };
  const to = recipientOf(body);
  if (to === null || url.includes('?')) return { status: 400, answer: { error: 'No.' } };
  if (stumblesOver !== '' && to.includes(stumblesOver)) return { status: 500, answer: { error: 'Oh.' } };
  return { status: 202, answer: { id: ID } };
}

/** Null when the body breaks its schema. */
function recipientOf(body: string): string | null {
  try {
    const parsed = JSON.parse(body);
    const isGood = Object.keys(parsed).join() === 'to' && typeof parsed.to === 'string';
    const length = [...String(parsed.to)].length;
    return isGood && length >= 3 && length <= 9 ? parsed.to : null;
  } catch {
    return null;
  }
}

function run(seed: number, rounds = 1, hurt: FuzzSpec['hurt'] = null): Promise<FuzzReport> {
  const hasNextRound = (round: number): boolean => round < rounds;
  return runFuzz({ base, key: 'k', known: ids, seed, cases: 120, hasNextRound, atOnce: 1, hurt });
}

test('an accepted message that is not there in the end is found', async () => {
  forgets = true;
  expect((await run(1)).failures.map(({ check }) => check)).toContain('accepted_is_durable');
  forgets = false;
  expect((await run(1)).failures.map(({ check }) => check)).not.toContain('accepted_is_durable');
});

test('an accepted message is asked for again while the database that was hurt is away, and not for ever', async () => {
  const hurt = async (): Promise<void> => {};
  readingsAway = 3;
  expect((await run(1, 1, hurt)).failures).toEqual([]);
  expect(readingsAway).toBeLessThan(0);
  readingsAway = Number.POSITIVE_INFINITY;
  expect((await run(1, 1, hurt)).failures.map(({ check }) => check)).toEqual(['accepted_is_durable']);
});

test('a server error is found, with the seed of its round and a line that sends the request again', async () => {
  stumblesOver = 'a';
  const report = await run(5, 3);
  const error = report.failures.find(({ check }) => check === 'not_a_server_error');
  expect([error?.operation, [5, 6, 7].includes(error?.seed ?? 0)]).toEqual(['sendMessage', true]);
  expect(error?.curl).toMatch(/^curl .*-X POST .*\/v1\/messages/);
  const printed = linesOf('pglite', report).join('\n');
  expect(printed).toContain(`(seed ${error?.seed})`);
  expect(printed).toContain(error?.curl);
});

test('the same seed makes the same requests, another seed others', async () => {
  const requests = async (seed: number): Promise<readonly string[]> => {
    seen = [];
    expect(linesOf('pglite', await run(seed)).slice(1)).toEqual([]);
    return seen;
  };
  const first = await requests(9);
  expect(first.length).toBeGreaterThan(100);
  expect(await requests(9)).toEqual(first);
  expect(await requests(10)).not.toEqual(first);
});
