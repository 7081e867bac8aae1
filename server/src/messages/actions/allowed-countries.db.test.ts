import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { allowCountries } from '#access/actions/manage-tenants';
import { apiErrors } from '#core/errors';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});

const GERMAN = '4915112345678';
const BRITISH = '447911123456';
/** A satellite network. */
const OF_NO_COUNTRY = '88216123456';
const REFUSED = { status: 400, body: { code: 'recipient_country_not_allowed' } };

const send = (to: string, headers: Record<string, string> = {}, query = '') =>
  tenant.call('POST', `/v1/messages${query}`, { to, body: 'Hello' }, headers);

/** Every process knows within 2 s. */
async function allow(...allowedCountries: readonly string[]): Promise<void> {
  await allowCountries(kit.rt, kit.service.db, { tenantId: tenant.tenantId, allowedCountries });
  const isKnown = async () => (await send(BRITISH, {}, '?dry_run=true')).body.blockers.length > 0;
  await kit.until(isKnown, (refused) => refused === allowedCountries.length > 0, 'the countries are known');
}

test('a tenant that may write to some countries is refused for numbers of others, and of none', async () => {
  expect((await send(BRITISH)).status).toBe(202);
  await allow('DE', 'AT');
  expect((await send(GERMAN)).status).toBe(202);
  expect(await send(BRITISH)).toMatchObject(REFUSED);
  expect(await send(OF_NO_COUNTRY)).toMatchObject(REFUSED);
  const messages = [GERMAN, BRITISH].map((to) => ({ to, body: 'Hello' }));
  const batch = await tenant.call('POST', '/v1/messages/batch', { messages });
  expect(batch.body.data).toMatchObject([{ status: 202 }, { status: 400, error: REFUSED.body }]);
  await allow();
  expect((await send(BRITISH)).status).toBe(202);
});

test('a request that was taken before is answered as it was', async () => {
  const key = { 'idempotency-key': 'before' };
  const first = await send(BRITISH, key);
  expect(first.status).toBe(202);
  await allow('DE');
  expect(await send(BRITISH, key)).toMatchObject({ status: 202, body: first.body });
});

test('a rule that replies to a customer of another country says why it did not', async () => {
  await allow('DE');
  const then = [{ action: 'reply', type: 'text', body: 'Hello' }];
  await tenant.call('POST', '/v1/chatbot-rules', { name: 'answers', trigger: { on: 'message.received' }, then });
  await kit.simulate('POST', '/_sim/inbound', { from: BRITISH, text: 'Hi', phone_number_id: tenant.phoneNumberId });
  const decided = () => tenant.call('GET', '/v1/chatbot-rules/decisions');
  await kit.until(
    decided,
    ({ text }) => text.includes(apiErrors.recipient_country_not_allowed.sentence),
    'the rule says why',
  );
  expect(await tenant.ledger(BRITISH)).toEqual([]);
});
