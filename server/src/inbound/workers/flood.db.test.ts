import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRaw, type RawConnection, statusesIn } from '#testing/peers/raw-connection';
import { callbackBody, inboundText, postCallback, signatureOf } from '#testing/test-callbacks';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';

const MEBIBYTE = 1024 * 1024;
const CALLBACK_BYTES = 3 * MEBIBYTE;
const BUDGET_MB = 64;
const FLOOD = 300;
/** One buffer for all connections: what the test itself holds must not be what it measures. */
const almostAll = Buffer.alloc(CALLBACK_BYTES - 1, 'x');
const plausible = `sha256=${'0'.repeat(64)}`;

let kit: TestService;
let clock: TestClock;
const opened: RawConnection[] = [];

beforeEach(async () => {
  clock = new TestClock(Date.now());
  kit = await startTestService({
    isAlone: true,
    clock,
    config: { roles: 'api,receiver', callbackBudgetMb: BUDGET_MB },
  });
});
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await kit.close();
});

/** Sends the head of a callback and all of its body but the last byte. */
async function sendAlmostAll(headers: string): Promise<RawConnection> {
  const connection = await openRaw(kit.service.url);
  opened.push(connection);
  connection.socket.write(
    `POST /webhooks/meta HTTP/1.1\r\nHost: x\r\nContent-Length: ${CALLBACK_BYTES}\r\n${headers}\r\n`,
  );
  connection.socket.write(almostAll);
  return connection;
}

async function heldBytes(door = 'callbacks'): Promise<number> {
  const { values } = await kit.rt.metrics.bodyBytesHeld.get();
  return values.find(({ labels }) => labels.door === door)?.value ?? 0;
}

async function refusals(reason: string): Promise<number> {
  const { values } = await kit.rt.metrics.refused.get();
  return values.filter(({ labels }) => labels.reason === reason).reduce((sum, { value }) => sum + value, 0);
}

describe('a flood of callbacks that never end', () => {
  test('is refused with 401 and closed before a byte of its bodies is kept when it has no plausible signature', async () => {
    const headers = ['', 'X-Hub-Signature-256: sha256=abc\r\n', `X-Hub-Signature-256: sha1=${'0'.repeat(64)}\r\n`];
    const connections = await Promise.all(
      Array.from({ length: FLOOD }, (_item, index) => sendAlmostAll(headers[index % headers.length] ?? '')),
    );
    await Promise.all(connections.map(({ closed }) => closed));
    expect([await heldBytes(), await refusals('no_signature')]).toEqual([0, FLOOD]);
  });

  test('keeps no more than the budget in memory when it has one, while others are answered', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const connections = await Promise.all(
      Array.from({ length: FLOOD }, () => sendAlmostAll(`X-Hub-Signature-256: ${plausible}\r\n`)),
    );
    const full = Math.floor((BUDGET_MB * MEBIBYTE) / CALLBACK_BYTES);
    await kit.until(
      () => refusals('body_budget'),
      (count) => count >= FLOOD - full - 1,
      'all but those that fit are refused',
    );
    expect(await heldBytes()).toBeLessThanOrEqual(BUDGET_MB * MEBIBYTE);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * BUDGET_MB * MEBIBYTE);

    const body = callbackBody({ phoneNumberId: '1', messages: [inboundText('wamid.REAL', '447700900123')] });
    expect((await postCallback(kit, body)).status).toBe(200);
    expect((await kit.call('POST', '/v1/messages', { to: '447700900124', body: 'Hi' })).status).toBe(202);

    clock.advance(15_000);
    const answers = await Promise.all(connections.map(({ closed }) => closed));
    const statuses = new Set(answers.flatMap(statusesIn));
    expect([...statuses].every((status) => status === 503 || status === 408)).toBe(true);
    await kit.until(heldBytes, (bytes) => bytes === 0, 'nothing is held any more');
  });
});

test('a refusal for want of room says when to try again, and ends its connection', async () => {
  const parts = BUDGET_MB / 3 + 1;
  const connections = await Promise.all(
    Array.from({ length: Math.ceil(parts) + 1 }, () => sendAlmostAll(`X-Hub-Signature-256: ${plausible}\r\n`)),
  );
  const refused = await Promise.any(
    connections.map(async ({ closed }) => {
      const answer = await closed;
      if (answer === '') throw new Error('The answer was lost with the connection.');
      return answer;
    }),
  );
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(refused).toMatch(/"code":"overloaded"/);
});

test('a callback counts the same however it is cut into pieces, and gives back all that it held', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), async (pieces, isChunked) => {
      const filler = 'x'.repeat(pieces.reduce((sum, size) => sum + size, 0));
      const message = inboundText(`wamid.${filler.length}`, '447700900123', { text: { body: filler } });
      const body = callbackBody({ phoneNumberId: '1', messages: [message] });
      expect(await postInPieces(body, pieces, isChunked)).toMatch(/^HTTP\/1\.1 200 /);
      await kit.until(heldBytes, (bytes) => bytes === 0, 'nothing is held any more');
    }),
    { numRuns: 25 },
  );
});

/** Posts a signed callback in pieces of these sizes and a rest; returns the answer. */
async function postInPieces(body: string, pieces: readonly number[], isChunked: boolean): Promise<string> {
  const bytes = Buffer.from(body);
  const { socket, closed } = await openRaw(kit.service.url);
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
  const signature = signatureOf(body, kit.rt.config.appSecret);
  const fields = `Host: x\r\nConnection: close\r\n${framing}\r\nX-Hub-Signature-256: ${signature}`;
  socket.write(`POST /webhooks/meta HTTP/1.1\r\n${fields}\r\n\r\n`);
  let at = 0;
  for (const size of [...pieces, bytes.length]) {
    const piece = bytes.subarray(at, at + size);
    at += size;
    if (piece.length === 0) continue;
    if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    await new Promise<void>((resolve) => socket.write(isChunked ? '\r\n' : '', () => resolve()));
  }
  if (isChunked) socket.write('0\r\n\r\n');
  return closed;
}

describe('a callback that arrives slowly', () => {
  test('is abandoned after 15 seconds, whatever its size', async () => {
    for (const length of [10, CALLBACK_BYTES]) {
      const { socket, closed, arrived } = await openRaw(kit.service.url);
      const fields = `Host: x\r\nContent-Length: ${length}\r\nX-Hub-Signature-256: ${plausible}\r\nExpect: 100-continue`;
      socket.write(`POST /webhooks/meta HTTP/1.1\r\n${fields}\r\n\r\n`);
      await arrived(/ 100 /);
      socket.write('x');
      clock.advance(14_999);
      expect(socket.closed).toBe(false);
      clock.advance(1);
      expect(statusesIn(await closed)).toEqual([100, 408]);
    }
    expect(await refusals('slow_body')).toBe(2);
  });

  test('takes nothing with it: one that ends in time is answered', async () => {
    const body = callbackBody({ phoneNumberId: '1', messages: [inboundText('wamid.SLOW', '447700900123')] });
    const { socket, closed, arrived } = await openRaw(kit.service.url);
    const signature = signatureOf(body, kit.rt.config.appSecret);
    const fields = `Host: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\nX-Hub-Signature-256: ${signature}`;
    socket.write(`POST /webhooks/meta HTTP/1.1\r\n${fields}\r\nExpect: 100-continue\r\n\r\n`);
    await arrived(/ 100 /);
    clock.advance(14_999);
    socket.write(body);
    expect(statusesIn(await closed)).toEqual([100, 200]);
  });
});

describe('large bodies of one tenant', () => {
  const LARGE = 1_500_000;

  async function startBatch(key: string): Promise<RawConnection> {
    const connection = await openRaw(kit.service.url);
    opened.push(connection);
    const fields = `Host: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${LARGE}`;
    connection.socket.write(`POST /v1/messages/batch HTTP/1.1\r\n${fields}\r\n\r\n`);
    connection.socket.write(almostAll.subarray(0, LARGE - 1));
    return connection;
  }

  test('use up its own share of the memory, not that of others', async () => {
    const share = (kit.rt.config.bodyBudgetMb * MEBIBYTE) / 4;
    const fitting = Math.floor(share / LARGE);
    await Promise.all(Array.from({ length: fitting + 5 }, () => startBatch(kit.key)));
    await kit.until(
      () => refusals('tenant_body_budget'),
      (count) => count >= 4,
      'those beyond the share are refused',
    );
    expect(await heldBytes('api')).toBeLessThanOrEqual(share);
    const other = await makeTestTenant(kit);
    const messages = Array.from({ length: 90 }, () => ({ to: '447700900125', body: 'x'.repeat(1_000) }));
    const answer = await other.call('POST', '/v1/messages/batch', { messages });
    expect(answer.status).toBe(200);
    expect((await kit.call('POST', '/v1/messages', { to: '447700900126', body: 'Hi' })).status).toBe(202);
  });
});
