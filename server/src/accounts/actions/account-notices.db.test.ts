import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayCallbacks } from '#inbound/store/callbacks';
import { ingest, ingested } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

const TIME_S = 1_790_000_000;

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ isAlone: true, config: { roles: 'api,receiver,ingester' } });
});
afterAll(() => kit.close());

function reportOf(account: string, field: string, value: object): string {
  const entry = [{ id: account, time: TIME_S, changes: [{ field, value }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

let accounts = 0;
async function linkedTenant(account = `3004006${++accounts}`): Promise<TestTenant & { readonly account: string }> {
  const tenant = await makeTestTenant(kit);
  await link(tenant, account);
  return { ...tenant, account };
}

async function link({ tenantId }: TestTenant, account: string): Promise<void> {
  const text = 'update phone_numbers set network_account_id = $2 where tenant_id = $1';
  await kit.service.db.run({ name: 'test_account', text }, [tenantId, account]);
}

async function noticesOf(tenant: TestTenant): Promise<Answer['body'][]> {
  const { body } = await tenant.call('GET', '/v1/events?types=account.notice');
  return body.data.map(({ data }: Answer['body']) => data);
}

async function phoneOf(tenant: TestTenant): Promise<string> {
  return (await tenant.call('GET', `/v1/phone-numbers/${tenant.phoneNumberId}`)).body.phone;
}

async function leftNames(): Promise<readonly unknown[]> {
  const statement = { name: 'test_left_names', text: 'select name from callback_leftovers order by recorded_ms' };
  return (await kit.service.db.run(statement, [])).rows.map(({ name }) => name);
}

test('a report of an account is an event of each of its tenants, once, however often it is reported or replayed', async () => {
  const [one, other] = [await linkedTenant(), await linkedTenant()];
  const sharing = await linkedTenant(one.account);
  const value = { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } };
  const report = reportOf(one.account, 'account_update', value);
  await ingest(kit, report, report);
  await replayCallbacks(kit.service.db, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, leftover: null });
  await ingested(kit);
  const notice = {
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    account_id: null,
    network_account_id: one.account,
    phone_number_id: null,
    field: 'account_update',
    kind: 'ACCOUNT_VIOLATION',
    message: 'The account violated a policy of the network: SCAM.',
    reported_at: new Date(TIME_S * 1000).toISOString(),
    value,
  };
  expect(await noticesOf(one)).toEqual([notice]);
  expect(await noticesOf(sharing)).toEqual([notice]);
  expect(await noticesOf(other)).toEqual([]);
  await ingest(kit, report.replace(String(TIME_S), String(TIME_S + 1)));
  expect(await noticesOf(one)).toHaveLength(2);
});

test('a report of a number goes to its tenant alone, also when others share the account', async () => {
  const one = await linkedTenant();
  const sharing = await linkedTenant(one.account);
  const security = { display_phone_number: `+${await phoneOf(one)}`, event: 'PIN_CHANGED' };
  const alert = {
    entity_type: 'PHONE_NUMBER',
    entity_id: one.phoneNumberId,
    alert_info: { alert_type: 'OBA_REJECTED', alert_description: 'The request was rejected.' },
  };
  await ingest(kit, reportOf(one.account, 'security', security), reportOf(one.account, 'account_alerts', alert));
  const about = { phone_number_id: one.phoneNumberId };
  expect(await noticesOf(one)).toMatchObject([
    { ...about, kind: 'PIN_CHANGED', message: 'The PIN of two-step verification of the number was changed.' },
    { ...about, kind: 'OBA_REJECTED', message: 'The request was rejected.' },
  ]);
  expect(await noticesOf(sharing)).toEqual([]);
});

test('what a partner does is reported under the id of the partner, and is about the account all the same', async () => {
  const one = await linkedTenant();
  const value = { event: 'PARTNER_REMOVED', waba_info: { waba_id: one.account, owner_business_id: '77' } };
  await ingest(kit, reportOf('77', 'account_update', value));
  expect(await noticesOf(one)).toMatchObject([{ kind: 'PARTNER_REMOVED', network_account_id: one.account }]);
});

test('what is reported of an account that nobody has is kept, and is an event once somebody has it', async () => {
  const tenant = await makeTestTenant(kit);
  await ingest(kit, reportOf('300400999', 'account_review_update', { decision: 'APPROVED' }));
  expect((await leftNames()).at(-1)).toBe('unknown_account');
  await link(tenant, '300400999');
  await replayCallbacks(kit.service.db, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, leftover: 'unknown_account' });
  await ingested(kit);
  expect(await noticesOf(tenant)).toMatchObject([{ message: 'The network reviewed the account: APPROVED.' }]);
});

test('a report that is too large for an event is one without its value', async () => {
  const one = await linkedTenant();
  await ingest(kit, reportOf(one.account, 'flows', { event: 'FLOW_STATUS_CHANGE', message: 'x'.repeat(17_000) }));
  const message = 'A form of the account changed: FLOW_STATUS_CHANGE.';
  expect(await noticesOf(one)).toMatchObject([{ field: 'flows', value: null, message }]);
});

test('what nothing here acts on is told to the tenant of the number, once, and stays an unhandled item', async () => {
  const one = await linkedTenant();
  const sharing = await linkedTenant(one.account);
  const status = { id: 'wamid.unread', status: 'captured', timestamp: String(TIME_S) };
  const metadata = { phone_number_id: one.phoneNumberId };
  const report = reportOf(one.account, 'messages', { metadata, statuses: [status, { ...status, id: 'wamid.other' }] });
  await ingest(kit, report, report);
  const notice = {
    ...{ field: 'messages', kind: 'status:captured', network_account_id: one.account },
    phone_number_id: one.phoneNumberId,
    message: 'The network reported something that nothing here acts on: status:captured.',
    reported_at: new Date(TIME_S * 1000).toISOString(),
  };
  expect(await noticesOf(one)).toEqual([
    expect.objectContaining({ ...notice, value: status }),
    expect.objectContaining({ ...notice, value: { ...status, id: 'wamid.other' } }),
  ]);
  expect(await noticesOf(sharing)).toEqual([]);
  expect((await leftNames()).slice(-2)).toEqual(['status:captured', 'status:captured']);
});

test('what names no number is told to the only tenant of the account, and to nobody when there are several', async () => {
  const alone = await linkedTenant();
  const shared = await linkedTenant();
  const sharing = await linkedTenant(shared.account);
  const value = { tracking: { click: 'abc' } };
  for (const { account } of [alone, shared]) await ingest(kit, reportOf(account, 'tracking_events', value));
  const message = 'The network reported something that nothing here acts on: tracking_events.';
  expect(await noticesOf(alone)).toMatchObject([
    { field: 'tracking_events', kind: null, phone_number_id: null, message, value },
  ]);
  expect([await noticesOf(shared), await noticesOf(sharing)]).toEqual([[], []]);
});
