import { afterAll, beforeAll, expect, test } from 'vitest';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import { holdByHand, makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { releaseMessages } from './release-held.ts';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

/** A tenant with this many messages that are due and cannot leave. */
async function waiting(messages: number): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  const { tenantId, phoneNumberId } = tenant;
  await setNumberPaused(kit.service.db, { tenantId, phoneNumberId, pauseReason: 'A test.' });
  for (let sent = 0; sent < messages; sent += 1) await tenant.send(freshPhone());
  return tenant;
}

async function logOf(tenant: TestTenant): Promise<readonly unknown[]> {
  const { data } = (await tenant.call('GET', '/v1/audit-log')).body;
  const entries = (data as Answer['body'][]).filter(({ action }) => action.startsWith('messages.'));
  expect(entries.every(({ target_id: id }) => id === tenant.tenantId)).toBe(true);
  return entries.map(({ action, actor, details }) => [action, actor.kind, details]);
}

test('holding and releasing messages is in the audit log of each tenant that had any, and of no other', async () => {
  const { rt, service } = kit;
  const [one, two, none] = [await waiting(1), await waiting(2), await waiting(0)];
  expect(await holdByHand(rt, service.db)).toBe(3);
  expect(await releaseMessages(rt, service.db, { tenantId: one.tenantId, unsent: false })).toBe(1);
  expect(await releaseMessages(rt, service.db, { tenantId: null, unsent: true })).toBe(2);
  expect(await releaseMessages(rt, service.db, { tenantId: null, unsent: true })).toBe(0);
  expect(await logOf(one)).toEqual([
    ['messages.released', 'operator', { messages: 1, unsent: false }],
    ['messages.held', 'operator', { messages: 1 }],
  ]);
  expect(await logOf(two)).toEqual([
    ['messages.released', 'operator', { messages: 2, unsent: true }],
    ['messages.held', 'operator', { messages: 2 }],
  ]);
  expect(await logOf(none)).toEqual([]);
});

test('messages that the service holds after a restore are in the audit log as its own act', async () => {
  const { rt, service } = kit;
  const tenant = await waiting(2);
  await service.db.run({ name: 'test_other', text: `update database_histories set server = 'other/' || server` }, []);
  await makeHistoryKeeper(rt, service.db).open();
  expect(await logOf(tenant)).toEqual([['messages.held', 'service', { messages: 2 }]]);
});
