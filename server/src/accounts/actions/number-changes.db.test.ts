import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '#core/ids';
import { readEvents } from '#events/store/events';
import { ingest } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { pauseRefused } from './pause-number.ts';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester' } });
});
afterAll(() => kit.close());

const WABA = '300400500600';
const DAY_S = 86_400;
const numberOf = async (tenant: TestTenant) =>
  (await tenant.call('GET', `/v1/phone-numbers/${tenant.phoneNumberId}`)).body;

/** What events say of the numbers of a tenant: type and changes. */
async function recorded({ tenantId }: TestTenant): Promise<readonly unknown[]> {
  const events = await readEvents(kit.service.db, { tenantId, after: 0, types: null, limit: 100 });
  const ofNumbers = events.filter(({ type }) => type.startsWith('number.'));
  return ofNumbers.map(({ type, data }) => [type, data.changes]);
}

function callbackOf(field: string, value: object, timeS = 1_790_000_000, entryId = WABA): string {
  const entry = [{ id: entryId, time: timeS, changes: [{ field, value }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

/** A tenant whose number belongs to an account of the network. */
async function linked(account = WABA): Promise<TestTenant & { readonly phone: string }> {
  const tenant = await makeTestTenant(kit);
  const text = 'update phone_numbers set network_account_id = $2 where tenant_id = $1';
  await kit.service.db.run({ name: 'test_account', text }, [tenant.tenantId, account]);
  return { ...tenant, phone: (await numberOf(tenant)).phone };
}

describe('the network', () => {
  test('records quality, limit and speed of one number; a repeated or late report changes nothing', async () => {
    const tenant = await linked();
    const about = { display_phone_number: `+${tenant.phone}` };
    const flagged = callbackOf('phone_number_quality_update', { ...about, event: 'FLAGGED', current_limit: 'TIER_2K' });
    const upgrade = callbackOf(
      'phone_number_quality_update',
      { ...about, event: 'THROUGHPUT_UPGRADE' },
      1_790_000_000 + DAY_S,
    );
    const late = callbackOf('phone_number_quality_update', { ...about, event: 'UNFLAGGED' }, 1_790_000_100);
    await ingest(kit, flagged, flagged, upgrade, late, flagged);
    expect(await numberOf(tenant)).toMatchObject({ quality: 'RED', messaging_limit: 'TIER_2K', throughput: 'HIGH' });
    expect(await recorded(tenant)).toEqual([
      ['number.quality_changed', { quality: [null, 'RED'] }],
      ['number.limit_changed', { messaging_limit: [null, 'TIER_2K'] }],
      ['number.limit_changed', { throughput: [null, 'HIGH'] }],
    ]);
  });

  test('finds a number that the operator added by its phone number', async () => {
    const tenant = await makeTestTenant(kit);
    const { phone } = await numberOf(tenant);
    await ingest(kit, callbackOf('phone_number_quality_update', { display_phone_number: phone, event: 'FLAGGED' }));
    expect((await numberOf(tenant)).quality).toBe('RED');
  });

  test('concerns all numbers of an account, and no others', async () => {
    const account = '300400500777';
    const [one, two, other] = [await linked(account), await linked(account), await linked()];
    await ingest(
      kit,
      callbackOf(
        'business_capability_update',
        { max_daily_conversations_per_business: 10_000 },
        1_790_000_000,
        account,
      ),
      callbackOf(
        'account_update',
        { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
        1_790_000_001,
        account,
      ),
      callbackOf(
        'account_update',
        { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
        1_790_000_002,
        account,
      ),
    );
    for (const tenant of [one, two]) {
      expect(await recorded(tenant)).toEqual([
        ['number.limit_changed', { messaging_limit: [null, 'TIER_10K'] }],
        ['number.status_changed', { network_status: [null, 'BANNED'] }],
        ['number.status_changed', { network_status: ['BANNED', 'CONNECTED'] }],
      ]);
    }
    expect(await recorded(other)).toEqual([]);
  });

  test.each([
    ['phone_number_quality_update', { event: 'FLAGGED' }],
    ['phone_number_quality_update', { display_phone_number: '15550009999', event: 'FLAGGED' }],
    ['business_capability_update', { max_daily_conversations_per_business: 'TIER_NOT_SET' }],
    [
      'account_update',
      { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' }] },
    ],
    ['account_update', { event: 'PARTNER_ADDED' }],
    ['account_update', 7],
  ] as readonly (readonly [string, object])[])('says nothing of a number by %s %o', async (field, value) => {
    const tenant = await linked();
    await ingest(kit, callbackOf(field, value, 1_790_000_000, WABA));
    expect(await recorded(tenant)).toEqual([]);
  });
});

describe('a pause', () => {
  test('for a refused token is recorded once, and so is the end of it', async () => {
    const tenant = await linked();
    const { tenantId, phoneNumberId } = tenant;
    const refusal = {
      tenantId,
      phoneNumberId,
      pauseReason: 'The token has expired.',
      accountId: null as AccountId | null,
    };
    for (const _ of [1, 2, 3]) pauseRefused(kit.rt, kit.service.db, refusal);
    await kit.until(
      () => numberOf(tenant),
      ({ status }) => status === 'paused',
      'the number is paused',
    );
    const path = `/v1/phone-numbers/${phoneNumberId}`;
    expect((await tenant.call('PATCH', path, { status: 'active' })).status).toBe(200);
    expect((await tenant.call('PATCH', path, { status: 'active' })).status).toBe(200);
    expect(await recorded(tenant)).toEqual([
      ['number.paused', { status: ['active', 'paused'], pause_reason: [null, 'The token has expired.'] }],
      ['number.resumed', { status: ['paused', 'active'], pause_reason: ['The token has expired.', null] }],
    ]);
  });
});
