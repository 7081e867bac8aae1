import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeNameLookup } from '#runtime/name-lookup';
import { answering, startWebhookReceiver, type WebhookReceiver } from '#testing/peers/webhook-receiver';
import { parseWebhookAllow } from '#webhooks/domain/webhook-address';
import { makeWebhookSecret } from '#webhooks/domain/webhook-secret';
import { makeWebhookPoster, type WebhookPoster } from './post.ts';
import { signWebhook } from './sign.ts';

let receiver: WebhookReceiver;
const posters: WebhookPoster[] = [];
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  receiver.answer = answering(204);
  await Promise.all(posters.splice(0).map((poster) => poster.close()));
});
afterAll(() => receiver.close());

/** A resolver that answers from a list, one item for each question. */
function resolver(...answers: readonly (readonly string[])[]): LookupFunction {
  const left = [...answers];
  return (_host, _options, callback) => {
    const addresses = left.shift() ?? answers.at(-1) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

function poster(allow: string, lookup = makeNameLookup({ dnsServers: '' })): WebhookPoster {
  const made = makeWebhookPoster(parseWebhookAllow(allow), lookup);
  posters.push(made);
  return made;
}

const post = (to: WebhookPoster, url: string, signal = new AbortController().signal) =>
  to.post({ url, headers: {}, body: '{}', signal });

describe('what a name leads to is checked when the connection is made', () => {
  const portOf = () => new URL(receiver.url).port;

  test.each([
    ['a private address', ['10.0.0.1']],
    ['this machine', ['127.0.0.1']],
    ['this machine, mapped', ['::ffff:127.0.0.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a public address and a private one', ['93.184.216.34', '127.0.0.1']],
    ['nothing', []],
  ])('%s is refused', async (_what, addresses) => {
    const before = receiver.received.length;
    const answer = await post(poster('', resolver(addresses)), `https://shop.example:${portOf()}/`);
    expect(answer).toMatchObject({ status: null, error: 'address_refused' });
    expect(receiver.received.length).toBe(before);
  });

  test('the address of a name is checked again with each connection', async () => {
    // Rebinding: the name led to an address that is allowed when it was looked up first.
    const moving = poster('127.0.0.1', resolver(['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']));
    const url = `https://rebind.example:${portOf()}/`;
    // The receiver speaks no TLS: but the connection was made.
    expect((await post(moving, url)).error).toMatch(/^(tls|connection)$/);
    expect(await post(moving, url)).toMatchObject({ error: 'address_refused' });
    const quick = poster('127.0.0.1', resolver(['127.0.0.1'], ['10.0.0.1']));
    expect(await post(quick, url), 'it moves between the look before and the connection').toMatchObject({
      error: 'address_refused',
    });
  });

  test('a name without an answer costs no connection, and the attempt ends with its signal', async () => {
    const connect = vi.spyOn(tls, 'connect');
    const ended = new AbortController();
    const silent = poster('', () => undefined);
    const posting = post(silent, 'https://silent.example/', ended.signal);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(connect).not.toHaveBeenCalled();
    ended.abort();
    expect(await posting).toMatchObject({ status: null, error: 'timeout' });
    expect(await post(silent, 'https://silent.example/', ended.signal)).toMatchObject({ error: 'timeout' });
    await post(poster('127.0.0.1', resolver(['127.0.0.1'])), `https://found.example:${portOf()}/`);
    expect(connect).toHaveBeenCalledOnce();
  });

  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'http://127.0.0.1/',
  ])('%s needs no name, and is refused too', async (url) => {
    expect(await post(poster(''), url)).toMatchObject({ status: null, error: 'address_refused' });
  });
});

describe('an answer', () => {
  const open = () => poster('127.0.0.1');

  test('that redirects is not followed', async () => {
    receiver.answer = answering(307, { location: `${receiver.url}/next` });
    expect(await post(open(), receiver.url)).toMatchObject({ status: 307, error: 'redirect' });
    expect(receiver.received.filter(({ path }) => path === '/next')).toEqual([]);
  });

  test('without an end is cut off, and its first KB kept', async () => {
    receiver.answer = (_hook, response) => {
      response.writeHead(500);
      const more = (): void => {
        if (!response.destroyed && response.write('x'.repeat(16_384))) setImmediate(more);
      };
      response.on('drain', more);
      more();
    };
    const answer = await post(open(), receiver.url);
    expect(answer).toMatchObject({ status: 500, error: 'status', response: 'x'.repeat(1024) });
  });

  test('that does not come ends with the time of the attempt', async () => {
    receiver.answer = () => ended.abort();
    const ended = new AbortController();
    expect(await post(open(), receiver.url, ended.signal)).toMatchObject({ status: null, error: 'timeout' });
  });

  test('that comes a byte at a time ends with the time of the attempt as well', async () => {
    const ended = new AbortController();
    let sent = 0;
    receiver.answer = (_hook, response) => {
      response.writeHead(200);
      const next = (): void => {
        sent += 1;
        if (sent === 20) ended.abort();
        if (!response.destroyed) response.write('x', () => setImmediate(next));
      };
      next();
    };
    expect(await post(open(), receiver.url, ended.signal)).toMatchObject({ status: null, error: 'timeout' });
    expect(sent).toBeGreaterThanOrEqual(20);
  });

  test('with more headers than anybody needs is a failed connection', async () => {
    receiver.answer = (_hook, response) => {
      for (let n = 0; n < 10_000; n += 1) response.setHeader(`x-${n}`, 'y');
      response.writeHead(200).end();
    };
    expect(await post(open(), receiver.url)).toMatchObject({ status: null, error: 'connection' });
  });

  test('that is compressed is kept as it came: nothing is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    receiver.answer = (_hook, response) => void response.writeHead(500, { 'content-encoding': 'gzip' }).end(bomb);
    const { status, response } = await post(open(), receiver.url);
    expect(status).toBe(500);
    expect(Buffer.byteLength(response ?? '', 'latin1')).toBeLessThanOrEqual(1024);
  });

  test('is asked for directly, whatever proxy the environment names', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    expect(await post(open(), receiver.url)).toMatchObject({ status: 204, error: null });
    vi.unstubAllEnvs();
  });

  test('is waited for on at most 20 connections to one host', async () => {
    const waiting: (() => void)[] = [];
    receiver.answer = (_hook, response) => void waiting.push(() => response.writeHead(204).end());
    const to = open();
    const posted = Array.from({ length: 30 }, () => post(to, receiver.url));
    while (waiting.length < 20) await new Promise((resolve) => setImmediate(resolve));
    // Another poster has separate connections; when its answer is there, a 21st of the first would have come as well.
    const other = post(open(), receiver.url);
    while (waiting.length < 21) await new Promise((resolve) => setImmediate(resolve));
    expect(waiting).toHaveLength(21);
    receiver.answer = answering(204);
    for (const answer of waiting) answer();
    expect((await Promise.all([...posted, other])).map(({ status }) => status)).toEqual(Array(31).fill(204));
  });

  test('of a closed port is a failed connection', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await post(open(), `http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'connection' });
  });
});

describe('a signature', () => {
  const [first, second] = [1, 2].map((byte) => makeWebhookSecret((size) => new Uint8Array(size).fill(byte)));
  const [id, body] = ['0190a6f2-9a00-7d54-9b3a-000000000007', '{"type":"message.received","data":{"body":"Grüße"}}'];
  const signed = { ...signWebhook({ id, nowMs: Date.now(), body, secrets: [first ?? '', second ?? ''] }) };

  test('is accepted by the library of Standard Webhooks, with either secret', () => {
    for (const secret of [first, second]) {
      expect(new Webhook(secret ?? '').verify(body, signed)).toEqual(JSON.parse(body));
    }
  });

  test.each([
    ['another body', `${body} `, signed],
    ['another id', body, { ...signed, 'webhook-id': 'x' }],
    ['another time', body, { ...signed, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) }],
  ])('fits no %s', (_what, text, headers) => {
    expect(() => new Webhook(first ?? '').verify(text, headers)).toThrow();
  });

  test('of another secret is refused', () => {
    const other = makeWebhookSecret((size) => new Uint8Array(size).fill(3));
    expect(() => new Webhook(other).verify(body, signed)).toThrow();
  });
});
