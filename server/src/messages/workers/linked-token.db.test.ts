import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { linkAccount, makeSimulatedAccount, type SimulatedAccount } from '#testing/peers/link-dialog';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * The tenant whose token goes to the network. The simulator accepts only tokens of its dialog, so everything that
 * succeeds here carried the token of the linked account.
 */
let kit: TestService;
let tenant: TestTenant;
let account: SimulatedAccount;
let accountId: string;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0, simulator: { tokens: ['a-token-that-nobody-has'] } });
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  account = await makeSimulatedAccount(kit);
  accountId = (await linkAccount(tenant, account.networkAccountId)).id;
});
afterAll(() => kit.close());

const isSent = ({ status }: Answer['body']) => status === 'sent';
const number = async () => (await tenant.call('GET', `/v1/phone-numbers/${account.phoneNumberId}`)).body;
const send = (fields: object = {}) => tenant.send(freshPhone(), { phone_number_id: account.phoneNumberId, ...fields });
const revoke = () => kit.simulate('POST', '/_sim/tokens/revoke', { waba_id: account.networkAccountId });
const untilPaused = () => kit.until(number, ({ status }) => status === 'paused', 'the number is paused');
const entries = async (action: string) => {
  const { data } = (await tenant.call('GET', `/v1/audit-log?action=${action}`)).body;
  return data.filter((entry: { target_id: string }) => entry.target_id === account.phoneNumberId);
};

test('a message, its media and a read receipt carry the token of the linked account', async () => {
  const media = await uploadFile(kit, tenant.key, jpegBytes());
  const withMedia = await send({ type: 'image', body: undefined, media: { media_id: media.body.media_id } });
  await tenant.untilMessage(withMedia, isSent, 'the image is sent');
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: account.phoneNumberId, from, text: 'Hi' });
  const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data;
  const [inbound] = await kit.until(ask, (data) => data.length === 1, 'the customer is heard');
  expect((await tenant.call('POST', `/v1/messages/${inbound.id}/read`)).status).toBe(200);
});

test('the file of a customer is fetched with the token of the linked account', async () => {
  const from = freshPhone();
  const media = { mime_type: 'image/jpeg', data: jpegBytes().toString('base64') };
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: account.phoneNumberId, from, media });
  const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data[0];
  await kit.until(ask, (message) => message?.media?.status === 'ready', 'the file is here');
});

test('a number of the operator uses the token of the settings', async () => {
  const id = await tenant.send(freshPhone(), { phone_number_id: tenant.phoneNumberId });
  const ask = async () => (await tenant.call('GET', `/v1/phone-numbers/${tenant.phoneNumberId}`)).body;
  const refused = await kit.until(ask, ({ status }) => status === 'paused', 'the number is paused');
  expect(refused).toMatchObject({ account_id: null });
  await tenant.untilMessage(id, ({ status }) => status === 'queued', 'the message waits');
});

test('a revoked token pauses the number once, and linking again sends what waited', async () => {
  await revoke();
  const ids = await Promise.all(Array.from({ length: 10 }, () => send()));
  const paused = await untilPaused();
  expect(paused.pause_reason).toContain('The number is paused.');
  expect(await entries('number.paused')).toHaveLength(1);
  const again = await linkAccount(tenant, account.networkAccountId);
  expect(await number()).toMatchObject({ status: 'active', pause_reason: null, account_id: again.id });
  for (const id of ids) await tenant.untilMessage(id, isSent, 'the message is sent');
  expect(await entries('number.resumed')).toHaveLength(1);
  expect(await entries('number.paused')).toHaveLength(1);
  expect((await tenant.call('GET', `/v1/accounts/${accountId}`)).body.status).toBe('replaced');
});

test('running the steps again with the same revoked token resumes nothing', async () => {
  await revoke();
  await send();
  await untilPaused();
  const retried = (await tenant.call('POST', `/v1/accounts/${accountId}/retry`)).body;
  expect(retried.status).toBe('incomplete');
  expect((await number()).status).toBe('paused');
});

test('a token that is refused while its media is uploaded pauses the number too', async () => {
  const media = await uploadFile(kit, tenant.key, jpegBytes());
  await revoke();
  await send({ type: 'image', body: undefined, media: { media_id: media.body.media_id } });
  await untilPaused();
});

test('a number that a person paused stays paused when its account is linked again', async () => {
  const path = `/v1/phone-numbers/${account.phoneNumberId}`;
  await tenant.call('PATCH', path, { status: 'paused', pause_reason: 'Holidays' });
  await linkAccount(tenant, account.networkAccountId);
  expect(await number()).toMatchObject({ status: 'paused', pause_reason: 'Holidays' });
});

test('a token that ends by its time pauses the number', async () => {
  await kit.simulate('POST', '/_sim/clock', { advance_ms: 90 * 24 * 3_600_000 });
  await send();
  await untilPaused();
});

test('a token that cannot be decrypted pauses the number and is never sent', async () => {
  await kit.service.db.run(
    { name: 'test_lose_key', text: "update linked_accounts set token_key_id = 'lost' where tenant_id = $1" },
    [tenant.tenantId],
  );
  const id = await send();
  await untilPaused();
  expect((await tenant.message(id)).status).toBe('queued');
  const retried = (await tenant.call('POST', `/v1/accounts/${accountId}/retry`)).body;
  expect(retried.steps[1].error.code).toBe('token_unreadable');
});
