import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

test('P10: a tenant that refuses free text outside the window gets it through once the customer has written', async () => {
  const tenant = await makeTestTenant(kit, { windowPolicy: 'refuse' });
  const to = freshPhone();
  const refused = await tenant.call('POST', '/v1/messages', { to, body: 'Hello' });
  expect(refused).toMatchObject({ status: 400, body: { code: 'window_closed' } });
  const listed = await tenant.call('GET', '/v1/messages/outbound');
  expect(listed.body.data).toEqual([]);

  await kit.simulate('POST', '/_sim/inbound', { from: to, text: 'Hi', phone_number_id: tenant.phoneNumberId });
  const inbound = () => tenant.call('GET', `/v1/messages/inbound?from=${to}`);
  await kit.until(inbound, (answer) => answer.body.data.length === 1, 'the customer’s message');
  const accepted = await tenant.call('POST', '/v1/messages', { to, body: 'Hello' });
  expect(accepted.status).toBe(202);
});

test('P10: a tenant that leaves the window to the network may write to a stranger first', async () => {
  const tenant = await makeTestTenant(kit);
  const accepted = await tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hello' });
  expect(accepted.status).toBe(202);
});
