import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NUMBER_ID, startTestNetwork, type TestNetwork } from '../testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.close());

const BODY = JSON.stringify({ text: 'Hi', from: '15550002222', phone_number_id: NUMBER_ID });
const JSON_TYPE = { 'content-type': 'application/json' };

/** A POST with exactly these headers. */
function post(headers: Readonly<Record<string, string>>, path = '/_sim/inbound', body = BODY): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(network.simulator.url + path, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', reject);
    call.end(body);
  });
}

const customers = async () => (await network.get('/_sim/phones')).body.data;

test.each([
  ['text/plain, which any page may send', { 'content-type': 'text/plain' }, 415],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['no type', {}, 415],
  ['JSON from a page of another origin', { ...JSON_TYPE, origin: 'https://evil.example' }, 403],
  ['JSON from a page without an origin', { ...JSON_TYPE, origin: 'null' }, 403],
  ['JSON from a page of another port of this machine', { ...JSON_TYPE, origin: 'http://127.0.0.1:1' }, 403],
])('a control request with %s is refused and does nothing', async (_what, headers, status) => {
  const before = await customers();
  expect(await post(headers)).toBe(status);
  expect(await customers()).toEqual(before);
});

test('a page of another origin can neither reset the network nor change its settings, also without a body', async () => {
  expect(await post({ origin: 'https://evil.example' }, '/_sim/reset', '')).toBe(403);
  expect(await post({ origin: 'https://evil.example', ...JSON_TYPE }, '/_sim/config', '{}')).toBe(403);
});

test('JSON from a program, and from the page of the simulator itself, is taken', async () => {
  expect(await post(JSON_TYPE)).toBe(200);
  expect(await post({ ...JSON_TYPE, origin: network.simulator.url })).toBe(200);
  expect(await post({ 'content-type': 'application/json; charset=utf-8' })).toBe(200);
});
