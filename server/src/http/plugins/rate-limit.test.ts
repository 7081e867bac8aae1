import { describe, expect, test } from 'vitest';
import { authorization, type FakeApi, fakeApi, readOnly, slowKey, testKey } from '#http/testing/fake-api';
import { good, post } from '#http/testing/post-message';
import { readConfig } from '#runtime/config';
import { silentLog } from '#runtime/log';
import { makeRuntime } from '#runtime/runtime';
import { TestClock } from '#testing/test-runtime';

function limitedApi(settings: Readonly<Record<string, string>>) {
  return configuredApi({ MESSAGING_API_RATE: '0', MESSAGING_API_TENANT_RATE: '0', ...settings });
}

function configuredApi(settings: Readonly<Record<string, string>>) {
  const clock = new TestClock();
  return { clock, api: fakeApi({ rt: makeRuntime(readConfig(settings), silentLog, clock, () => 0.5) }) };
}

const limitHeaders = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

test('the limits are on unless the operator switches them off', async () => {
  const { headers } = await post(configuredApi({}).api, good);
  expect(headers['ratelimit-policy']).toBe('"key";q=1000;w=1, "tenant";q=2000;w=1');
});

test('without a limit no answer tells of one', async () => {
  const { api } = limitedApi({});
  const answer = await post(api, good);
  expect(Object.keys(answer.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
});

test('a key passes at its rate, is told how it stands, and waits as long as it is told', async () => {
  const { api, clock } = limitedApi({ MESSAGING_API_RATE: '2' });
  const told: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { statusCode, headers } = await post(api, good);
    told.push([statusCode, ...limitHeaders.map((name) => headers[name]), headers['retry-after']]);
  }
  expect(told).toEqual([
    [202, '"key";q=2;w=1', '"key";r=1;t=1', '2', '1', '1', undefined],
    [202, '"key";q=2;w=1', '"key";r=0;t=1', '2', '0', '1', undefined],
    [429, '"key";q=2;w=1', '"key";r=0;t=1', '2', '0', '1', '1'],
  ]);
  clock.advance(1000);
  expect((await post(api, good)).statusCode).toBe(202);
  expect(api.accepted).toHaveLength(3);
});

test('a refusal says rate_limited, and nothing reaches the operation', async () => {
  const { api } = limitedApi({ MESSAGING_API_RATE: '1' });
  await post(api, good);
  const refused = await post(api, good);
  expect(refused.json()).toEqual({
    error: 'Too many requests. Wait for the number of seconds in Retry-After.',
    code: 'rate_limited',
  });
  expect(refused.headers['x-request-id']).toBeTruthy();
  expect(api.accepted).toHaveLength(1);
});

test('keys have a rate each; their tenant has one over all of them, and the tighter one is told', async () => {
  const { api } = limitedApi({ MESSAGING_API_RATE: '5', MESSAGING_API_TENANT_RATE: '2' });
  const first = await post(api, good);
  expect(first.headers.ratelimit).toBe('"key";r=4;t=1, "tenant";r=1;t=1');
  expect(first.headers['x-ratelimit-limit']).toBe('2');
  expect((await post(api, good, { authorization: slowKey })).statusCode).toBe(202);
  expect((await post(api, good)).statusCode).toBe(429);
});

test('a request without the scope counts too, one without a key does not', async () => {
  const { api } = limitedApi({ MESSAGING_API_RATE: '1' });
  for (let count = 0; count < 5; count += 1) await post(api, good, { authorization: 'Bearer nobody-knows-this-key' });
  const codes: number[] = [];
  for (let count = 0; count < 2; count += 1)
    codes.push((await post(api, good, { authorization: readOnly })).statusCode);
  expect(codes).toEqual([403, 429]);
});

describe('wrong keys', () => {
  const RATE = 3;
  const BURST = 30;
  const WRONG = 'Bearer nobody-knows-this-key';

  function from(api: FakeApi, remoteAddress: string, authorization: string) {
    const headers = { authorization, 'content-type': 'application/json' };
    return api.app.inject({ method: 'POST', url: '/v1/messages', headers, payload: good, remoteAddress });
  }

  test('are answered 429 beyond the rate of their address, with the same words whatever the key', async () => {
    const { api, clock } = limitedApi({ MESSAGING_WRONG_KEY_RATE: String(RATE) });
    const statuses: number[] = [];
    for (let count = 0; count < BURST + 5; count += 1) {
      const { statusCode } = await from(api, '192.0.2.1', `${WRONG}${count}`);
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array(BURST).fill(401), ...Array(5).fill(429)]);
    const [one, other] = [await from(api, '192.0.2.1', WRONG), await from(api, '192.0.2.1', 'Bearer another-one')];
    expect([one.body, one.headers['retry-after']]).toEqual([other.body, '1']);
    expect(one.json()).toEqual({
      error: 'Too many requests with invalid keys from this address.',
      code: 'rate_limited',
    });
    clock.advance(1_000);
    expect((await from(api, '192.0.2.1', WRONG)).statusCode).toBe(401);
  });

  test('slow down no right key, not even from the same address, and no other address', async () => {
    const { api } = limitedApi({ MESSAGING_WRONG_KEY_RATE: String(RATE) });
    for (let count = 0; count <= BURST; count += 1) await from(api, '192.0.2.1', `${WRONG}${count}`);
    expect((await from(api, '192.0.2.1', WRONG)).statusCode).toBe(429);
    expect((await from(api, '192.0.2.1', authorization)).statusCode).toBe(202);
    expect((await from(api, '192.0.2.1', slowKey)).statusCode).toBe(202);
    expect((await from(api, '192.0.2.2', WRONG)).statusCode).toBe(401);
  });
});

test.each([
  ['https://graph.example', 'auto', 403],
  ['https://localhost.example', 'auto', 403],
  ['http://127.0.0.1:8090', 'auto', 202],
  ['http://[::1]:8090', 'auto', 202],
  ['http://localhost:8090', 'no', 403],
  ['http://simulator:8090', 'yes', 202],
])('a test key that sends over %s with MESSAGING_NETWORK_IS_SIMULATOR=%s gets %s', async (url, isSimulator, status) => {
  const api = fakeApi({ settings: { MESSAGING_NETWORK_URL: url, MESSAGING_NETWORK_IS_SIMULATOR: isSimulator } });
  const answer = await post(api, good, { authorization: testKey });
  expect(answer.statusCode).toBe(status);
  expect(api.accepted).toHaveLength(status === 202 ? 1 : 0);
  if (status === 403) expect(answer.json().code).toBe('test_key');
  expect((await post(api, good, { authorization })).statusCode).toBe(202);
});
