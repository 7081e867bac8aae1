import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { peekJson } from './peek-body.ts';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves one request: peeks, then reads the body as a route would. */
async function served(send: (call: ReturnType<typeof request>) => void, headers = {}) {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = request({ port, host: '127.0.0.1', method: 'POST', headers });
  call.on('error', () => undefined);
  const arriving = once(server, 'request') as Promise<[IncomingMessage]>;
  send(call);
  const [incoming] = await arriving;
  const peeked = await peekJson(incoming);
  return { peeked, incoming };
}

async function rest(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(incoming, 'end');
  return Buffer.concat(chunks).toString();
}

const BODY = JSON.stringify({ method: 'password', email: 'ana@shop.example' });

test('a body is read, and read again by the route', async () => {
  const { peeked, incoming } = await served((call) => call.end(BODY), { 'content-length': BODY.length });
  expect(peeked).toEqual(JSON.parse(BODY));
  expect(await rest(incoming)).toBe(BODY);
});

test('a body in pieces without a length is too', async () => {
  const { peeked, incoming } = await served((call) => {
    call.write(BODY.slice(0, 10));
    setImmediate(() => call.end(BODY.slice(10)));
  });
  expect(peeked).toEqual(JSON.parse(BODY));
  expect(await rest(incoming)).toBe(BODY);
});

test('what is not JSON is left to the route', async () => {
  const { peeked, incoming } = await served((call) => call.end('{"method"'), { 'content-length': 9 });
  expect(peeked).toEqual({});
  expect(await rest(incoming)).toBe('{"method"');
});

test('a large body is not waited for', async () => {
  const { peeked } = await served((call) => call.write('{'), { 'content-length': 10_000_000 });
  expect(peeked).toEqual({});
});

test('a client that breaks off is not waited for', async () => {
  const { peeked } = await served(
    (call) => {
      call.write('{');
      server.once('request', (incoming) => incoming.once('readable', () => call.destroy()));
    },
    { 'content-length': 100 },
  );
  expect(peeked).toEqual({});
});
