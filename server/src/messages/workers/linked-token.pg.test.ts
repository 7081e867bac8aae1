import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { allow, comeBack, linkAccount, makeSimulatedAccount, passDialog } from '#testing/peers/link-dialog';
import { testRuntime } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * One process takes requests, another one sends; what they share is the database and the key in their settings. The
 * simulator accepts no token but those of its dialog.
 */
let kit: TestService;
let sender: Service;
let tenant: TestTenant;

beforeAll(async () => {
  const encryptionKey = randomBytes(32).toString('base64');
  const simulator = { tokens: ['a-token-that-nobody-has'] };
  kit = await startTestService({ config: { roles: 'api,receiver', encryptionKey }, simulator });
  sender = await startService(testRuntime({ ...kit.rt.config, port: 0, roles: 'api,dispatcher' }));
  tenant = await makeTestTenant(kit);
});
afterAll(async () => {
  await sender.close();
  await kit.close();
});

test('a number that was linked in one process sends from the other, also after its token was replaced', async () => {
  const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
  const sent = async () => {
    const id = await tenant.send(freshPhone(), { phone_number_id: phoneNumberId });
    await tenant.untilMessage(id, ({ status }) => status === 'sent', 'the message is sent');
  };
  const number = async () => (await tenant.call('GET', `/v1/phone-numbers/${phoneNumberId}`)).body;
  await linkAccount(tenant, networkAccountId);
  await sent();
  await kit.simulate('POST', '/_sim/tokens/revoke', { waba_id: networkAccountId });
  const waiting = await tenant.send(freshPhone(), { phone_number_id: phoneNumberId });
  await kit.until(number, ({ status }) => status === 'paused', 'the number is paused');
  await linkAccount(tenant, networkAccountId);
  await tenant.untilMessage(waiting, ({ status }) => status === 'sent', 'the message that waited is sent');
  await sent();
  const { data } = (await tenant.call('GET', `/v1/audit-log?target_id=${phoneNumberId}&action=number.paused`)).body;
  expect(data).toHaveLength(1);
});

test('a state works once over all processes', async () => {
  const { networkAccountId } = await makeSimulatedAccount(kit);
  const address = new URL(await passDialog(tenant, allow(networkAccountId)));
  const elsewhere = `${sender.url}${address.pathname}${address.search}`;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => comeBack(i % 2 === 0 ? address.href : elsewhere)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(
    (await tenant.call('GET', '/v1/accounts')).body.data.map(({ status }: { status: string }) => status),
  ).toContain('linked');
});

test('two tenants that link the same account concurrently share no number', async () => {
  const other = await makeTestTenant(kit);
  const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
  const linked = await Promise.all([tenant, other].map((owner) => linkAccount(owner, networkAccountId)));
  expect(linked.map(({ status }) => status).toSorted()).toEqual(['incomplete', 'linked']);
  const path = `/v1/phone-numbers/${phoneNumberId}`;
  const seen = await Promise.all([tenant, other].map((owner) => owner.call('GET', path)));
  expect(seen.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});
