import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { fakeApi } from '#http/testing/fake-api';
import { listenOnOtherLoopback } from './listen-on-loopback.ts';

const { rt } = fakeApi().deps;
const hasSix = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(host: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => response.end(request.socket.localAddress));
  await new Promise<void>((done) => server.listen(0, host, done));
  closing.push(() => new Promise((done) => server.close(() => done())));
  return { server, port: (server.address() as AddressInfo).port };
}

const ask = async (host: string, port: number) => (await fetch(`http://${host}:${port}/`)).text();

test.runIf(hasSix)('what listens on one loopback address answers on the other, until it is closed', async () => {
  const { server, port } = await listen('127.0.0.1');
  const close = await listenOnOtherLoopback(rt, server);
  expect(await ask('127.0.0.1', port)).toBe('127.0.0.1');
  expect(await ask('[::1]', port)).toBe('::1');
  close?.();
  // The connection that was kept alive belongs to the server.
  server.closeAllConnections();
  await expect(ask('[::1]', port)).rejects.toThrow();
  expect(await ask('127.0.0.1', port)).toBe('127.0.0.1');
});

test('a server on all addresses is left as it is', async () => {
  const { server } = await listen('0.0.0.0');
  expect(await listenOnOtherLoopback(rt, server)).toBeNull();
});

test.runIf(hasSix)('another program on the other address is left alone', async () => {
  const { server, port } = await listen('127.0.0.1');
  const other = createTcpServer();
  await new Promise<void>((done) => other.listen({ host: '::1', port, ipv6Only: true }, done));
  closing.push(() => new Promise((done) => other.close(() => done())));
  expect(await listenOnOtherLoopback(rt, server)).toBeNull();
  expect(await ask('127.0.0.1', port)).toBe('127.0.0.1');
});
