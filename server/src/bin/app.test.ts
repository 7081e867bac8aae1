import { once } from 'node:events';
import { connect } from 'node:net';
import type { HTTPMethods } from 'fastify';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { described } from '#http/testing/described';
import { authorization, type FakeApi, fakeApi, messageId } from '#http/testing/fake-api';
import { buildMetricsApp } from './app.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

const open: FakeApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.app.close();
});

function api(settings: Readonly<Record<string, string>> = {}): FakeApi {
  const made = fakeApi({ settings });
  open.push(made);
  return made;
}

/** One application for those that only ask: describing every route takes it a good while. */
let shared: FakeApi | undefined;
afterAll(() => shared?.app.close());

function anyApi(): FakeApi {
  shared ??= fakeApi();
  return shared;
}

/** An application with a route that answers once the application closes. */
function held() {
  const { app } = api();
  let answer = (): void => undefined;
  let wasAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  app.get('/held', async () => {
    wasAsked();
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return {};
  });
  app.addHook('preClose', (done) => {
    answer();
    done();
  });
  return { app, asked };
}

function pathOf(path: string): string {
  return path.replace(':id', messageId).replace(':platform', 'platform');
}

describe('every path', () => {
  const paths = [...new Set(operations.map(({ path }) => path))];
  const others: HTTPMethods[] = ['DELETE', 'PUT', 'PATCH', 'POST', 'GET'];

  test.each(
    paths,
  )('%s answers a method it does not serve with 405 and Allow, before it asks for a key', async (path) => {
    const served = operations.filter((operation) => operation.path === path).map(({ method }) => method as string);
    const { app } = anyApi();
    for (const method of others.filter((name) => !served.includes(name))) {
      const headers = { 'content-type': 'text/plain' };
      const answer = await app.inject({ method: method as 'PUT', url: pathOf(path), headers, payload: '{' });
      expect([method, answer.statusCode, answer.json().code]).toEqual([method, 405, 'method_not_allowed']);
      const head = served.includes('GET') ? ['HEAD'] : [];
      expect(String(answer.headers.allow).split(', ')).toEqual([...served, ...head, 'OPTIONS']);
    }
  });

  test.each(paths)('%s answers OPTIONS with 204 and Allow', async (path) => {
    const answer = await anyApi().app.inject({ method: 'OPTIONS', url: pathOf(path) });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers.allow).toContain('OPTIONS');
  });

  test('that is unknown answers 404 in the shape of every error', async () => {
    for (const url of ['/', '/v1', '/v1/', '/v1/nothing', '/v2/messages']) {
      const answer = await anyApi().app.inject({ method: 'GET', url, headers: { authorization } });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not_found']);
    }
  });

  test('with broken % escapes answers 400', async () => {
    const answer = await api().app.inject({
      method: 'GET',
      url: '/v1/messages/%zz',
      headers: { 'x-request-id': 'mine' },
    });
    expect([answer.statusCode, answer.json().code, answer.headers['x-request-id']]).toEqual([
      400,
      'invalid_request',
      'mine',
    ]);
  });
});

describe('every answer', () => {
  test('carries the request id of the caller when it is safe, else one of ours', async () => {
    const { app } = api();
    const idFor = async (id: string) => {
      const answer = await app.inject({ method: 'GET', url: '/healthz', headers: { 'x-request-id': id } });
      return String(answer.headers['x-request-id']);
    };
    expect(await idFor('order-42/try:1')).toBe('order-42/try:1');
    const replaced = [await idFor(''), await idFor('two words'), await idFor('<script>'), await idFor('x'.repeat(129))];
    for (const id of replaced) expect(id).toMatch(/^[0-9a-z]{6}-[0-9a-z]+$/);
    expect(new Set(replaced).size).toBe(replaced.length);
  });

  test('forbids guessing its type, and under /v1 keeping it', async () => {
    const { app } = api();
    const inside = await app.inject({ method: 'GET', url: '/v1/nothing' });
    const outside = await app.inject({ method: 'GET', url: '/healthz' });
    expect([inside.headers['x-content-type-options'], inside.headers['cache-control']]).toEqual([
      'nosniff',
      'no-store',
    ]);
    expect([outside.headers['x-content-type-options'], outside.headers['cache-control']]).toEqual([
      'nosniff',
      undefined,
    ]);
  });
});

describe('CORS', () => {
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };

  test('is off: no header tells a browser anything', async () => {
    const answer = await api().app.inject({ method: 'OPTIONS', url: '/v1/messages', headers: preflight });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('opens the API for the listed origins and no other', async () => {
    const { app } = api({ MESSAGING_CORS_ORIGINS: 'https://a.example, https://b.example' });
    const listed = await app.inject({ method: 'OPTIONS', url: '/v1/messages', headers: preflight });
    const other = await app.inject({
      method: 'OPTIONS',
      url: '/v1/messages',
      headers: { ...preflight, origin: 'https://c.example' },
    });
    expect(listed.headers['access-control-allow-origin']).toBe('https://a.example');
    for (const header of ['idempotency-key', 'if-match', 'x-agent-id']) {
      expect(listed.headers['access-control-allow-headers']).toContain(header);
    }
    expect(listed.headers['access-control-allow-methods']).toContain('PATCH');
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    expect(other.headers.vary).toBe('Origin');
  });

  test('lets a browser send every header that an operation reads, and read every header that one answers with', async () => {
    const { app } = api({ MESSAGING_CORS_ORIGINS: 'https://a.example' });
    const { headers } = await app.inject({ method: 'OPTIONS', url: '/v1/messages', headers: preflight });
    const listed = (name: string) => String(headers[name]).split(', ');
    const read = [...new Set(described.flatMap(({ headerNames }) => headerNames.map((name) => name.toLowerCase())))];
    expect(listed('access-control-allow-headers')).toEqual(
      expect.arrayContaining([...read, 'authorization', 'content-type']),
    );
    const { components } = openApiDocument() as { readonly components: { readonly headers: object } };
    const answered = Object.keys(components.headers).map((name) => name.toLowerCase());
    expect([read.length > 10, answered.length > 10]).toEqual([true, true]);
    expect(listed('access-control-expose-headers')).toEqual(expect.arrayContaining(answered));
  });

  test('lets a listed origin read a refusal too', async () => {
    const { app } = api({ MESSAGING_CORS_ORIGINS: 'https://a.example' });
    const answer = await app.inject({ method: 'POST', url: '/v1/messages', headers: { origin: 'https://a.example' } });
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([401, 'https://a.example']);
  });
});

describe('another entrance on the same server', () => {
  test('brings its own parser and needs no key, and shares the error answers', async () => {
    const { app } = api();
    app.register((scope, _options, done) => {
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
      scope.post('/webhooks/meta', async (request) => ({ bytes: (request.body as Buffer).length }));
      scope.get('/webhooks/meta', () => Promise.reject(new Error('secret')));
      done();
    });
    const received = await app.inject({ method: 'POST', url: '/webhooks/meta', payload: Buffer.from([1, 2, 3]) });
    expect(received.json()).toEqual({ bytes: 3 });
    const failed = await app.inject({ method: 'GET', url: '/webhooks/meta' });
    expect([failed.statusCode, failed.json().code]).toEqual([500, 'internal_error']);
  });
});

describe('over a real connection', () => {
  async function listen(): Promise<{ readonly port: number; readonly url: string }> {
    const { app } = api();
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return { port: Number(new URL(url).port), url };
  }

  test('a client that writes 2 MB gets to read its 413, and may go on with the connection', async () => {
    const { url } = await listen();
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ to: '447700900123', body: 'x'.repeat(2_000_000) });
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
    expect(await answer.json()).toEqual({ error: 'The body is too large.', code: 'payload_too_large' });
    expect(answer.status).toBe(413);
    expect(await fetch(`${url}/healthz`).then((next) => next.json())).toEqual({ status: 'ok' });
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', '400 Bad Request'],
    ['a header of 100 KB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, '431 Request Header'],
  ])('%s is answered in the shape of every error', async (_label, bytes, status) => {
    const { port } = await listen();
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(answer).toContain('{"error":"The request could not be understood.","code":"invalid_request"}');
  });

  test('closing ends a connection on which nothing was asked, and one that was busy then, once it has its answer', async () => {
    const { app, asked } = held();
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(url).port);
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const busy = connect(port, '127.0.0.1');
    busy.write('GET /held HTTP/1.1\r\nhost: a\r\n\r\n');
    await asked;
    const ends = [once(silent, 'close'), once(busy, 'close')];
    const answered = once(busy, 'data');
    const closed = app.close();
    expect(String(await answered)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
    await Promise.all([closed, ...ends]);
  });

  test('an unknown method answers 405 or 400, never 5xx', async () => {
    const { port } = await listen();
    const socket = connect(port, '127.0.0.1');
    socket.write('PROPFIND /v1/messages HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 405 [\s\S]*allow: GET/);
  });
});

describe('/metrics on the port of the API', () => {
  const read = async (settings: Record<string, string>, remoteAddress: string, headers: Record<string, string> = {}) =>
    (await api(settings).app.inject({ method: 'GET', url: '/metrics', remoteAddress, headers })).statusCode;

  test('answers programs on the same machine, and nobody else, also not through a proxy on it', async () => {
    expect([await read({}, '127.0.0.1'), await read({}, '::1'), await read({}, '::ffff:127.0.0.1')]).toEqual([
      200, 200, 200,
    ]);
    expect(await read({}, '198.51.100.7')).toBe(404);
    expect(await read({}, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
    expect(await read({ MESSAGING_TRUSTED_PROXIES: '127.0.0.1' }, '127.0.0.1', { forwarded: 'for=x' })).toBe(404);
  });

  test('answers anyone when the operator opens it, and on its own port', async () => {
    expect(await read({ MESSAGING_METRICS_ACCESS: 'anyone' }, '198.51.100.7')).toBe(200);
    const own = buildMetricsApp(api().deps);
    expect((await own.inject({ method: 'GET', url: '/metrics', remoteAddress: '198.51.100.7' })).statusCode).toBe(200);
    await own.close();
  });
});

test('the port of its own serves /metrics and nothing else', async () => {
  const app = buildMetricsApp(api().deps);
  const metrics = await app.inject({ method: 'GET', url: '/metrics' });
  expect([metrics.statusCode, metrics.body]).toEqual([
    200,
    expect.stringContaining('postrider_messages_accepted_total 0'),
  ]);
  expect(
    (await app.inject({ method: 'GET', url: '/v1/messages/outbound', headers: { authorization } })).statusCode,
  ).toBe(404);
});
