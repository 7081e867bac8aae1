import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { video } from '../testing/files.ts';
import { type Answer, codeOf, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

const APP_ID = '555000';
const FILE = video(1_000_000);

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(() => network.post('/_sim/reset', {}));
afterAll(() => network.close());

async function session(length = FILE.length, type = 'video/mp4'): Promise<string> {
  const query = new URLSearchParams({ file_length: String(length), file_type: type, file_name: 'a.mp4' });
  const answer = await network.graph('POST', `/v26.0/${APP_ID}/uploads?${query}`);
  return `/v26.0/${answer.body.id}`;
}

async function put(address: string, bytes: Buffer, offset: number, scheme = 'OAuth'): Promise<Answer> {
  const response = await fetch(network.simulator.url + address, {
    method: 'POST',
    headers: { authorization: `${scheme} token`, file_offset: String(offset) },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers };
}

const offsetOf = async (address: string): Promise<unknown> =>
  (await network.call('GET', address, undefined, { authorization: 'OAuth token' })).body.file_offset;
const listed = async () => objects((await network.get('/_sim/uploads')).body.data)[0];
const digest = createHash('sha256').update(FILE).digest('hex');

/** Announces the rest of the file, sends `bytes` of it and breaks the connection when they have left. */
function breakOff(address: string, offset: number, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      authorization: 'OAuth token',
      file_offset: offset,
      'content-length': FILE.length - offset,
      // The network has taken the request up when it says that the body may come.
      expect: '100-continue',
    };
    const sending = httpRequest(network.simulator.url + address, { method: 'POST', headers });
    sending.on('error', () => {});
    sending.on('close', () => resolve());
    sending.on('continue', () => sending.write(FILE.subarray(offset, offset + bytes), () => sending.destroy()));
    sending.flushHeaders();
  });
}

test('a file in one request gives a handle, with either word before the token', async () => {
  const address = await session();
  expect(address).toMatch(/^\/v26\.0\/upload:[\w-]+\?sig=AR[\w-]+$/);
  expect((await put(address, FILE, 0)).body).toEqual({ h: expect.stringMatching(/^4::dmlkZW8vbXA0:AR\S+$/) });
  expect(await listed()).toMatchObject({ complete: true, sha256: digest, file_offset: FILE.length });
  expect((await put(await session(), FILE, 0, 'Bearer')).status).toBe(200);
});

test('an interrupted file continues where it broke off, and nothing is kept twice', async () => {
  const address = await session();
  let offset = 0;
  for (const bytes of [1, 300_000, 123_457]) {
    await breakOff(address, offset, bytes);
    const kept = Number(await offsetOf(address));
    expect(kept).toBeGreaterThanOrEqual(offset);
    expect(kept).toBeLessThanOrEqual(offset + bytes);
    offset = kept;
  }
  await network.put('/_sim/failures', { upload_bytes: { fault: 'cut' } });
  await expect(put(address, FILE.subarray(offset), offset)).rejects.toThrow();
  const half = offset + Math.ceil((FILE.length - offset) / 2);
  expect(await offsetOf(address)).toBe(String(half));
  expect((await put(address, FILE.subarray(half), half)).body.h).toMatch(/^4::/);
  expect(await listed()).toMatchObject({ complete: true, sha256: digest });
});

test('a file in pieces has a handle of several lines', async () => {
  const address = await session();
  expect((await put(address, FILE.subarray(0, 10), 0)).body).toEqual({ id: address.slice(7), file_offset: '10' });
  expect(String((await put(address, FILE.subarray(10), 10)).body.h).split('\n')).toHaveLength(2);
});

test('a wrong offset is refused and changes nothing', async () => {
  const address = await session();
  expect(codeOf(await put(address, FILE, 5))).toBe(100);
  await put(address, FILE.subarray(0, 10), 0);
  expect(codeOf(await put(address, FILE, 0))).toBe(100);
  expect(await offsetOf(address)).toBe('10');
});

test('more bytes than were announced are refused', async () => {
  expect(codeOf(await put(await session(10), FILE, 0))).toBe(100);
});

test.each([
  ['no length', 'file_type=image/png', 131008],
  ['a length of zero', 'file_length=0&file_type=image/png', 100],
  ['a type that cannot be a header', 'file_length=5&file_type=audio/ogg', 100],
])('a session is refused: %s', async (_label, query, code) => {
  expect(codeOf(await network.graph('POST', `/v26.0/${APP_ID}/uploads?${query}`))).toBe(code);
});

test('a session ends after a day, and a wrong signature never began one', async () => {
  const address = await session();
  expect(await offsetOf(`${address}x`)).toBeUndefined();
  await network.post('/_sim/clock', { advance_ms: 24 * 3600 * 1000 });
  expect(await offsetOf(address)).toBeUndefined();
});

test('without a token there is no session and no offset', async () => {
  const address = await session();
  expect(codeOf(await network.get(address))).toBe(104);
  expect(codeOf(await network.post(`/v26.0/${APP_ID}/uploads`, {}))).toBe(104);
});
