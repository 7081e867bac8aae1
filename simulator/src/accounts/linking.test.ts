import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../json.ts';
import {
  type Answer,
  CUSTOMER,
  codeOf,
  NUMBER_ID,
  objects,
  startTestNetwork,
  type TestNetwork,
} from '../testing/network.ts';

const APP = '555000';
const SECRET = 'test-app-secret';
const REDIRECT = 'http://127.0.0.1:9/callback?tenant=1';
const HOUR_MS = 3_600_000;

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
  await network.post('/_sim/numbers', { phone_number_id: NUMBER_ID, waba_id: '300400500600' });
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const dialogUrl = (change: Readonly<Record<string, string>> = {}): string => {
  const query = {
    client_id: APP,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 's-1',
    config_id: '7',
    ...change,
  };
  return `${network.simulator.url}/v26.0/dialog/oauth?${new URLSearchParams(query)}`;
};

/** Clicks on the dialog and gives the address that the browser is led to. */
async function click(form: Readonly<Record<string, string>>): Promise<URL> {
  const response = await fetch(dialogUrl(), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

const codeFor = async (wabaId: string): Promise<string> =>
  String((await click({ decision: 'continue', waba_id: wabaId })).searchParams.get('code'));

const exchange = (code: string, change: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const query = { client_id: APP, client_secret: SECRET, redirect_uri: REDIRECT, code, ...change };
  return network.get(`/v26.0/oauth/access_token?${new URLSearchParams(query)}`);
};
const as = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  network.call(method, path, body, { authorization: `Bearer ${token}` });
const linked = async (wabaId = '300400500600'): Promise<string> =>
  String((await exchange(await codeFor(wabaId))).body.access_token);
const subcode = (answer: Answer): unknown => isJsonObject(answer.body.error) && answer.body.error.error_subcode;

test('the page names the app and has a link to continue and one to cancel', async () => {
  const page = await fetch(dialogUrl());
  const html = await page.text();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain(`App <b>${APP}</b>`);
  expect(html).toMatch(/value="continue".*value="cancel"/s);
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test.each([
  ['no app', { client_id: '' }],
  ['an address that is none', { redirect_uri: 'javascript:alert(1)' }],
  ['another type of answer', { response_type: 'token' }],
])('the page does not open with %s', async (_label, change) => {
  expect((await fetch(dialogUrl(change))).status).toBe(400);
});

test('continue leads back with a code and the state, cancel with an error and the state', async () => {
  const on = await click({ decision: 'continue', waba_id: '300400500600' });
  expect([on.origin, on.searchParams.get('tenant'), on.searchParams.get('state')]).toEqual([
    'http://127.0.0.1:9',
    '1',
    's-1',
  ]);
  expect(on.searchParams.get('code')).toMatch(/^AQ/);
  const out = await click({ decision: 'cancel' });
  expect([out.searchParams.get('error'), out.searchParams.get('error_reason'), out.searchParams.get('state')]).toEqual([
    'access_denied',
    'user_denied',
    's-1',
  ]);
});

test('a code becomes a token once', async () => {
  const code = await codeFor('300400500600');
  expect((await exchange(code)).body).toEqual({
    access_token: expect.stringMatching(/^EAAJ/),
    token_type: 'bearer',
    expires_in: 5_183_944,
  });
  expect(subcode(await exchange(code))).toBe(36009);
});

test('a code ends after 30 seconds', async () => {
  const code = await codeFor('300400500600');
  await network.post('/_sim/clock', { advance_ms: 30_000 });
  expect(subcode(await exchange(code))).toBe(36007);
});

test('a code wants the same redirect address, the app and its secret', async () => {
  const code = await codeFor('300400500600');
  expect(subcode(await exchange(code, { redirect_uri: 'http://127.0.0.1:9/other' }))).toBe(36008);
  expect(subcode(await exchange(code, { client_id: '1' }))).toBe(36007);
  expect(codeOf(await exchange(code, { client_secret: 'wrong' }))).toBe(1);
  expect((await exchange(code)).status).toBe(200);
});

test('debug_token names the accounts that were chosen, and reports a bad token with status 200', async () => {
  const token = await linked();
  const debug = async (input: string): Promise<JsonObject> => {
    const answer = await as(`${APP}|${SECRET}`, 'GET', `/v26.0/debug_token?input_token=${encodeURIComponent(input)}`);
    expect(answer.status).toBe(200);
    return isJsonObject(answer.body.data) ? answer.body.data : {};
  };
  expect(await debug(token)).toMatchObject({
    app_id: APP,
    is_valid: true,
    granular_scopes: [
      { scope: 'whatsapp_business_management', target_ids: ['300400500600'] },
      { scope: 'whatsapp_business_messaging', target_ids: ['300400500600'] },
    ],
  });
  await network.post('/_sim/tokens/revoke', { token });
  expect(await debug(token)).toMatchObject({ is_valid: false, error: { code: 190 } });
});

test('a new account is linked, subscribed and registered before it sends and its callbacks arrive', async () => {
  const address = await click({ decision: 'continue', waba_id: 'new', phone: '+1 555 000 9999', name: 'Fresh' });
  const token = String((await exchange(String(address.searchParams.get('code')))).body.access_token);
  const debug = (await as(`${APP}|${SECRET}`, 'GET', `/debug_token?input_token=${token}`)).body.data;
  const wabaId = isJsonObject(debug) ? String((objects(debug.granular_scopes)[0]?.target_ids as string[])[0]) : '';
  const [number] = objects(
    (await as(token, 'GET', `/v26.0/${wabaId}/phone_numbers?fields=id,display_phone_number,status,verified_name`)).body
      .data,
  );
  expect(number).toMatchObject({ display_phone_number: '+1 555-000-9999', status: 'PENDING', verified_name: 'Fresh' });
  const path = `/v26.0/${String(number?.id)}`;
  expect(codeOf(await network.send({}, `${path}/messages`, token))).toBe(133010);
  expect((await as(token, 'POST', `${path}/register`, { messaging_product: 'whatsapp', pin: '123456' })).body).toEqual({
    success: true,
  });
  expect((await as(token, 'GET', `${path}?fields=status`)).body).toEqual({ status: 'CONNECTED', id: number?.id });
  await network.send({}, `${path}/messages`, token);
  await network.quiet();
  expect(network.receiver.posts).toEqual([]);
  expect((await as(token, 'POST', `/v26.0/${wabaId}/subscribed_apps`)).body).toEqual({ success: true });
  expect((await as(token, 'GET', `/v26.0/${wabaId}/subscribed_apps`)).body.data).toMatchObject([
    { whatsapp_business_api_data: { id: APP } },
  ]);
  await network.send({}, `${path}/messages`, token);
  await network.receiver.until(() => network.receiver.statuses.length === 3);
});

test('a token reaches its own account and no other', async () => {
  const { body } = await network.post('/_sim/tokens', { waba_id: '777' });
  const token = String(body.token);
  expect(codeOf(await network.send({}, `/v26.0/${NUMBER_ID}/messages`, token))).toBe(200);
  expect(codeOf(await as(token, 'GET', '/v26.0/300400500600/phone_numbers'))).toBe(200);
  expect(codeOf(await as(token, 'GET', `/v26.0/${NUMBER_ID}?fields=status`))).toBe(200);
});

test('a revoked token is refused with 190 everywhere', async () => {
  const token = await linked();
  expect((await network.send({}, `/v26.0/${NUMBER_ID}/messages`, token)).status).toBe(200);
  await network.post('/_sim/tokens/revoke', { waba_id: '300400500600' });
  const answers = [
    await network.send({}, `/v26.0/${NUMBER_ID}/messages`, token),
    await as(token, 'GET', '/v26.0/300400500600/phone_numbers'),
    await as(token, 'POST', `/v26.0/${NUMBER_ID}/register`, {}),
    await as(token, 'POST', `/v26.0/${NUMBER_ID}/media`, {}),
    await as(token, 'GET', '/v26.0/300400500600/message_templates'),
  ];
  expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(answers.map(() => [401, 190]));
});

test('a token expires at its time, and may have none', async () => {
  await network.put('/_sim/config', { oauth_token_seconds: 60 });
  const token = await linked();
  await network.put('/_sim/config', { oauth_token_seconds: 0 });
  const endless = await exchange(await codeFor('300400500600'));
  await network.put('/_sim/config', { oauth_token_seconds: 5_183_944 });
  await network.post('/_sim/clock', { advance_ms: 60_000 });
  expect(endless.body.expires_in).toBeUndefined();
  expect(codeOf(await as(token, 'GET', `/v26.0/${NUMBER_ID}?fields=status`))).toBe(190);
  expect((await as(String(endless.body.access_token), 'GET', `/v26.0/${NUMBER_ID}?fields=status`)).status).toBe(200);
});

test('registration wants six digits, the same PIN again, and not more than ten tries in 72 hours', async () => {
  const register = (pin: unknown): Promise<Answer> =>
    network.graph('POST', `/v26.0/${NUMBER_ID}/register`, { messaging_product: 'whatsapp', pin });
  expect(codeOf(await register('12'))).toBe(100);
  expect((await register('123456')).status).toBe(200);
  expect(codeOf(await register('654321'))).toBe(133005);
  for (let i = 0; i < 8; i++) await register('123456');
  expect(codeOf(await register('123456'))).toBe(133016);
  await network.post('/_sim/clock', { advance_ms: 72 * HOUR_MS });
  expect((await register('123456')).status).toBe(200);
});

test('every step can be made to fail once', async () => {
  const steps: readonly (readonly [string, () => Promise<Answer>])[] = [
    ['oauth_token', async () => exchange(await codeFor('300400500600'))],
    ['debug_token', () => as(`${APP}|${SECRET}`, 'GET', '/debug_token?input_token=x')],
    ['phone_numbers', () => network.graph('GET', '/v26.0/300400500600/phone_numbers')],
    ['subscribe', () => network.graph('POST', '/v26.0/300400500600/subscribed_apps')],
    [
      'register',
      () => network.graph('POST', `/v26.0/${NUMBER_ID}/register`, { messaging_product: 'whatsapp', pin: '111111' }),
    ],
    ['number', () => network.graph('GET', `/v26.0/${NUMBER_ID}?fields=status`)],
    ['account', () => network.graph('GET', '/v26.0/300400500600')],
  ];
  for (const [step, call] of steps) {
    await network.put('/_sim/failures', { [step]: { code: 2 } });
    expect([step, codeOf(await call()), (await call()).status]).toEqual([step, 2, 200]);
  }
});

test('numbers are listed by pages and described as the operator set them', async () => {
  for (const id of ['11', '12', '13']) {
    await network.post('/_sim/numbers', {
      phone_number_id: id,
      waba_id: '42',
      quality_rating: 'RED',
      messaging_limit: 'TIER_2K',
    });
  }
  const page = (await network.graph('GET', '/v26.0/42/phone_numbers?limit=2')).body;
  expect(objects(page.data).map((number) => [number.id, number.quality_rating])).toEqual([
    ['11', 'RED'],
    ['12', 'RED'],
  ]);
  const next = isJsonObject(page.paging) ? String(page.paging.next) : '';
  expect(objects((await network.graph('GET', next.slice(network.simulator.url.length))).body.data)).toHaveLength(1);
});

test.each([
  ['an account', '300400500600', 'call_analytics.start(1543543200).end(1544148000).granularity(DAILY)'],
  ['an account, beside others', '300400500600', 'id,name,group_analytics.start(1).end(2).dimensions(["COUNTRY"])'],
  ['an account, nested', '300400500600', 'call_analytics{data_points}'],
  ['a number', NUMBER_ID, 'health_status'],
])('%s says that it does not simulate a field instead of leaving it out', async (_label, id, fields) => {
  const answer = await network.graph('GET', `/v26.0/${id}?fields=${encodeURIComponent(fields)}`);
  expect([answer.status, codeOf(answer)]).toEqual([400, 100]);
  expect(JSON.stringify(answer.body)).toMatch(/(analytics|health_status) is not simulated/);
});

test('an account that was unsubscribed gets no callbacks of its customers', async () => {
  await network.graph('DELETE', '/v26.0/300400500600/subscribed_apps');
  await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi', phone_number_id: NUMBER_ID });
  await network.quiet();
  expect(network.receiver.posts).toEqual([]);
});
