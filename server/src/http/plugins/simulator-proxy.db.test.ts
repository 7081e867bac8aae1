import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';

let kit: TestService;
let tenant: TestTenant;
let cookie: string;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester' } });
  tenant = await makeTestTenant(kit);
  const owner = await ensureOwner(kit.rt, kit.service.db, tenant.tenantId);
  const [, token] = (await makeSignInLink(kit.rt, kit.service.db, owner)).split('#token=');
  const signedIn = await callApi(kit.service.url, 'POST', '/v1/sessions', { method: 'link', token }, OWN_PAGE);
  cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
});
afterAll(() => kit.close());

const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = OWN_PAGE) =>
  callApi(kit.service.url, method, `/simulator/${path}`, body, { cookie, ...headers });

test('who is signed in writes as a customer, and the business gets it', async () => {
  const message = { from: '447700900123', phone_number_id: tenant.phoneNumberId, text: 'Are you open?', name: 'Ada' };
  expect((await ask('POST', 'inbound', message)).status).toBe(200);
  const list = () => tenant.call('GET', '/v1/messages/inbound?from=447700900123');
  const { body } = await kit.until(list, ({ body: answer }) => answer.data.length === 1, 'the message');
  expect(body.data).toMatchObject([{ text: { body: 'Are you open?' }, profile_name: 'Ada' }]);
  expect((await ask('GET', 'phone?peer=447700900123')).body).toMatchObject({ name: 'Ada' });
});

test('neither a key nor a page of another site gets through', async () => {
  expect((await tenant.call('GET', '/simulator/phones')).status).toBe(401);
  expect((await callApi(kit.service.url, 'GET', '/simulator/phones', undefined, {})).status).toBe(401);
  const foreign = { 'postrider-client': 'test', 'sec-fetch-site': 'cross-site' };
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, foreign] as Record<string, string>[]) {
    expect((await ask('POST', 'inbound', { from: '447700900123', text: 'Hi' }, headers)).status).toBe(403);
  }
});
