import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChainedEntry } from '#access/domain/audit-chain';
import type { TenantId } from '#core/ids';
import { type LogServer, startLogServer } from '#testing/peers/log-server';
import { startNameServer } from '#testing/peers/name-server';
import { TEST_CERTIFICATE } from '#testing/peers/tls-certificate';
import { makeSyslogClient, type SyslogOptions } from './syslog-client.ts';

/** Deadline for peers that never accept anything. */
const DEADLINE_MS = 1_000;
/** Deadline for the others, against hanging. */
const LONG_MS = 240_000;
const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()));
});

function entries(count: number, details = {}): readonly ChainedEntry[] {
  const origin = { actor: 'operator', keyId: null, agentId: null, requestId: null, address: null } as const;
  const entry = { createdMs: 0, origin, action: 'tenant.suspended', targetId: 't', details } as const;
  const tenantId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' as TenantId;
  return Array.from({ length: count }, (_, n) => ({
    seq: n + 1,
    hash: 'ab'.repeat(32),
    entry: { ...entry, tenantId, entryId: `e${n}` },
  }));
}

function clientOf(auditSyslog: string, options: SyslogOptions = {}, dnsServers = '') {
  const send = makeSyslogClient({ auditSyslog, dnsServers }, { deadlineMs: LONG_MS, ...options });
  if (send === null) throw new Error('No client.');
  return send;
}

async function logServer(...tls: Parameters<typeof startLogServer>): Promise<LogServer> {
  const server = await startLogServer(...tls);
  closes.push(server.close);
  return server;
}

const seqsOf = ({ messages }: LogServer) => messages.map((one) => JSON.parse(one.slice(one.indexOf('{'))).seq);

describe('a log server', () => {
  test('gets entries over TCP in order, each with its length before it', async () => {
    const server = await logServer();
    await clientOf(server.address)(entries(3, { reason: 'Zürich' }));
    expect(seqsOf(server)).toEqual([1, 2, 3]);
    await clientOf(server.address)([]);
    expect(server.connections).toBe(1);
  });

  test('that is slow is waited for until it has taken everything', async () => {
    const server = await logServer();
    server.way = 'takes slowly';
    await clientOf(server.address)(entries(500, { reason: 'x'.repeat(2_000) }));
    expect(seqsOf(server)).toHaveLength(500);
  });

  test('that hangs is given up at the deadline', async () => {
    const server = await logServer();
    server.way = 'hangs';
    const send = clientOf(server.address, { deadlineMs: DEADLINE_MS });
    await expect(send(entries(500, { reason: 'x'.repeat(7_000) }))).rejects.toThrow('in time');
  });

  test('a server that is away, or a proxy without one behind it, took nothing', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await expect(clientOf(`tcp://127.0.0.1:${port}`)(entries(1))).rejects.toThrow('ECONNREFUSED');
    const proxy = await logServer();
    proxy.way = 'closes at once';
    await expect(clientOf(proxy.address)(entries(1))).rejects.toThrow();
  });

  test('gets entries over TLS, and nothing when its certificate is not trusted', async () => {
    const server = await logServer(TEST_CERTIFICATE);
    await expect(clientOf(server.address)(entries(1))).rejects.toThrow(/self-signed/);
    expect(server.messages).toEqual([]);
    await clientOf(server.address, { ca: TEST_CERTIFICATE.cert })(entries(2));
    expect(seqsOf(server)).toEqual([1, 2]);
  });

  test('gets entries over UDP, one datagram each', async () => {
    const socket = createSocket('udp4');
    const came: string[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on('message', (message) => {
        if (came.push(message.toString()) === 3) resolve();
      });
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    closes.push(() => new Promise<void>((resolve) => socket.close(() => resolve())));
    const dns = await startNameServer(() => ['127.0.0.1']);
    closes.push(dns.close);
    await clientOf(`udp://logs.example:${socket.address().port}`, {}, dns.address)(entries(3));
    await all;
    expect(dns.asked).toContain('logs.example');
    expect(came.every((message) => message.startsWith('<110>1 '))).toBe(true);
  });

  test('whose name does not resolve fails within the deadline', async () => {
    const dns = await startNameServer(() => 'silence');
    closes.push(dns.close);
    for (const transport of ['udp', 'tcp']) {
      const send = clientOf(`${transport}://logs.example:514`, { deadlineMs: DEADLINE_MS }, dns.address);
      await expect(send(entries(1))).rejects.toThrow('in time');
    }
  });
});
