import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorization, type FakeApi, fakeApi } from '#http/testing/fake-api';
import { exchangeRaw, openRaw, statusesIn } from '#testing/peers/raw-connection';

let api: FakeApi;
let base: string;

beforeEach(async () => {
  api = fakeApi();
  base = await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => api.app.close());

const BODY = '{"to":"447700900123","body":"hello"}';
const LENGTH = `Content-Length: ${BODY.length}`;
/** What a smuggler would put in front of the next request on the connection. */
const HIDDEN = `POST /v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${LENGTH}\r\n\r\n${BODY}`;
const CHUNKED = 'Transfer-Encoding: chunked';

function post(fields: readonly string[], body: string, lineEnd = '\r\n'): string {
  const head = ['POST /v1/messages HTTP/1.1', 'Content-Type: application/json', `Authorization: ${authorization}`];
  return [...head, ...fields].join(lineEnd) + lineEnd + lineEnd + body;
}

function chunk(text: string, extension = ''): string {
  return `${text.length.toString(16)}${extension}\r\n${text}\r\n0\r\n\r\n`;
}

describe('a request whose framing can be read in two ways is a 400, ends its connection, and does nothing', () => {
  test.each([
    ['Content-Length and Transfer-Encoding', post(['Host: x', LENGTH, CHUNKED], chunk(BODY))],
    ['Transfer-Encoding and Content-Length', post(['Host: x', CHUNKED, LENGTH], chunk(BODY))],
    ['two different Content-Length', post(['Host: x', LENGTH, 'Content-Length: 0'], BODY)],
    ['two equal Content-Length', post(['Host: x', LENGTH, LENGTH], BODY)],
    ['a list as Content-Length', post(['Host: x', `${LENGTH}, ${BODY.length}`], BODY)],
    ['a signed Content-Length', post(['Host: x', `Content-Length: +${BODY.length}`], BODY)],
    ['a negative Content-Length', post(['Host: x', 'Content-Length: -1'], BODY)],
    [
      'a Transfer-Encoding that does not end in chunked',
      post(['Host: x', 'Transfer-Encoding: chunked, identity'], BODY),
    ],
    ['an unknown Transfer-Encoding', post(['Host: x', 'Transfer-Encoding: xchunked'], chunk(BODY))],
    ['a space before the colon', post(['Host: x', `Content-Length : ${BODY.length}`], BODY)],
    ['a folded header', post(['Host: x', 'X-Folded: one\r\n two', LENGTH], BODY)],
    ['a Transfer-Encoding in a folded header', post(['Host: x', `X-Folded: one\r\n ${CHUNKED}`, LENGTH], BODY)],
    ['lines that end in a bare LF', post(['Host: x', LENGTH], BODY, '\n')],
    ['a bare CR in a header', post(['Host: x', `X-Cut: one\r${CHUNKED}`, LENGTH], BODY)],
    ['a NUL in a header', post(['Host: x', 'X-Nul: a\0b', LENGTH], BODY)],
    ['a chunk whose size is no number', post(['Host: x', CHUNKED], `zz\r\n${BODY}\r\n0\r\n\r\n`)],
    ['a chunk with a negative size', post(['Host: x', CHUNKED], `-1\r\n${BODY}\r\n0\r\n\r\n`)],
    ['a chunk longer than its size', post(['Host: x', CHUNKED], `1\r\n${BODY}\r\n0\r\n\r\n`)],
    ['a chunk whose size ends in a bare LF', post(['Host: x', CHUNKED], `24\n${BODY}\r\n0\r\n\r\n`)],
    ['no Host', post([LENGTH], BODY)],
    ['two Hosts', post(['Host: x', 'Host: y', 'Connection: close', LENGTH], BODY)],
    ['two equal Hosts', post(['Host: x', 'Host: x', 'Connection: close', LENGTH], BODY)],
  ])('%s', async (_label, request) => {
    const answer = await exchangeRaw(base, request + HIDDEN);
    expect(statusesIn(answer)).toEqual([400]);
    expect(api.accepted).toEqual([]);
  });
});

test('a chunk with extensions beyond any use is a 400', async () => {
  const answer = await exchangeRaw(base, post(['Host: x', CHUNKED], chunk(BODY, `;${'x'.repeat(1_000_000)}`)));
  expect(statusesIn(answer)).toEqual([400]);
  expect(api.accepted).toEqual([]);
});

test('a head that is too large is a 431', async () => {
  const answer = await exchangeRaw(base, post(['Host: x', `X-Large: ${'x'.repeat(100_000)}`, LENGTH], BODY));
  expect(statusesIn(answer)).toEqual([431]);
});

test('a key that is sent twice is none, whichever of the two is right', async () => {
  for (const second of [authorization, 'Bearer nobody-knows-this-key']) {
    const fields = ['Host: x', `Authorization: ${second}`, 'Connection: close', LENGTH];
    expect(statusesIn(await exchangeRaw(base, post(fields, BODY)))).toEqual([401]);
  }
  expect(api.accepted).toEqual([]);
});

test('a thousand requests at once on one connection are answered in order, each once', async () => {
  const ids = Array.from({ length: 1_000 }, (_item, index) => `r${index}`);
  const { socket, closed } = await openRaw(base);
  for (const id of ids) socket.write(post(['Host: x', `X-Request-Id: ${id}`, LENGTH], BODY));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: last\r\n\r\n');
  const text = await closed;
  expect([...text.matchAll(/x-request-id: (\S+)/gi)].map(([, id]) => id)).toEqual([...ids, 'last']);
  expect(api.accepted).toHaveLength(ids.length);
});

test('a client that closes its half of the connection after the request still gets its answer', async () => {
  const { socket, closed } = await openRaw(base);
  socket.end(post(['Host: x', LENGTH], BODY));
  expect(statusesIn(await closed)).toEqual([202]);
});

test('hundreds of connections that send their requests byte by byte hold up nobody, and all have an end', async () => {
  const slow = await Promise.all(Array.from({ length: 300 }, () => openRaw(base)));
  for (const [index, { socket }] of slow.entries()) {
    const request = post(['Host: x', LENGTH], BODY);
    socket.write(request.slice(0, index % request.length));
  }
  const fast = await exchangeRaw(base, post(['Host: x', 'Connection: close', LENGTH], BODY));
  expect(statusesIn(fast)).toEqual([202]);
  const { headersTimeout, requestTimeout, timeout, maxConnections } = api.app.server;
  expect({ headersTimeout, requestTimeout, timeout, maxConnections }).toEqual({
    headersTimeout: 30_000,
    requestTimeout: 600_000,
    timeout: 60_000,
    maxConnections: 10_000,
  });
  for (const { socket } of slow) socket.destroy();
});

test('beyond MESSAGING_MAX_CONNECTIONS a connection is closed, and counted', async () => {
  const small = fakeApi({ settings: { MESSAGING_MAX_CONNECTIONS: '2' } });
  const url = await small.app.listen({ host: '127.0.0.1', port: 0 });
  const [first, second] = [await openRaw(url), await openRaw(url)];
  expect(await exchangeRaw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  const { values } = await small.deps.rt.metrics.refused.get();
  expect(values).toEqual([{ labels: { door: 'api', reason: 'connections' }, value: 1 }]);
  second.socket.destroy();
  await second.closed;
  first.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(statusesIn(await first.closed)).toEqual([200]);
  await small.app.close();
});
