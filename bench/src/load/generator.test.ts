import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { generateLoad } from './generator.ts';
import type { LoadJob } from './job.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const job = (origin: string, ratePerSecond: number | null): LoadJob => ({
  origin,
  key: 'key',
  connections: 3,
  durationMs: 50,
  ratePerSecond,
  request: { kind: 'read', paths: ['/v1/messages'] },
});

describe.each([
  ['as fast as it is answered', null],
  ['at a rate', 200],
])('load %s', (_, ratePerSecond) => {
  test('counts every answer by its status', async () => {
    const server = createServer((_request, response) => response.writeHead(503).end('busy'));
    const result = await generateLoad(job(await listen(server), ratePerSecond));
    server.closeAllConnections();
    expect(result.outcomes).toEqual({ 503: result.requests });
    expect(result.requests).toBeGreaterThanOrEqual(3);
  });

  test('continues when nobody listens, and reports why no request was answered', async () => {
    const origin = await listen(createTcpServer());
    for (const close of closing.splice(0)) close();
    const { outcomes, requests } = await generateLoad(job(origin, ratePerSecond));
    expect(outcomes).toEqual({ [`connect ECONNREFUSED ${new URL(origin).host}`]: requests });
    expect(requests).toBeGreaterThanOrEqual(3);
  });

  test('continues when every connection breaks before the answer', async () => {
    const origin = await listen(createTcpServer((socket) => socket.once('data', () => socket.destroy())));
    const { outcomes, requests } = await generateLoad(job(origin, ratePerSecond));
    expect(Object.keys(outcomes).filter((outcome) => !/closed|ECONNRESET/.test(outcome))).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(3);
  });
});
