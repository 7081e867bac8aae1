import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addSimulatedNumber,
  linkAccount,
  makeSimulatedAccount,
  type SimulatedAccount,
} from '#testing/peers/link-dialog';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const NUMBERS = '/v1/phone-numbers';
const NOBODYS = '999999999999';

let kit: TestService;
let tenant: TestTenant;
let account: SimulatedAccount;
let path: string;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  await kit.simulate('PUT', '/_sim/failures', {});
  tenant = await makeTestTenant(kit);
  account = await makeSimulatedAccount(kit);
  await linkAccount(tenant, account.networkAccountId);
  path = `${NUMBERS}/${account.phoneNumberId}`;
});
afterAll(() => kit.close());

const read = async () => (await tenant.call('GET', path)).body;
const actions = async () => {
  const { data } = (await tenant.call('GET', `/v1/audit-log?target_id=${account.phoneNumberId}`)).body;
  return data.map(({ action }: { action: string }) => action);
};

describe('reading', () => {
  test('shows what the network says of a linked number, and its version as the ETag', async () => {
    const answer = await tenant.call('GET', path);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: account.phoneNumberId,
        name: 'Flower shop',
        status: 'active',
        network_account_id: account.networkAccountId,
        quality: 'GREEN',
        messaging_limit: 'TIER_2K',
        version: 1,
      },
    });
    expect(answer.headers.get('etag')).toBe('"1"');
  });

  test('lists newest first, by status and account, page by page', async () => {
    for (let i = 0; i < 3; i += 1) await addSimulatedNumber(kit, account.networkAccountId);
    const [{ id }] = (await tenant.call('GET', '/v1/accounts')).body.data;
    await tenant.call('POST', `/v1/accounts/${id}/retry`);
    const all = (await tenant.call('GET', NUMBERS)).body.data.map((item: { id: string }) => item.id);
    expect(all).toHaveLength(5);
    const walked: string[] = [];
    let cursor = '';
    do {
      const page = (await tenant.call('GET', `${NUMBERS}?limit=2${cursor}`)).body;
      walked.push(...page.data.map((item: { id: string }) => item.id));
      cursor = page.page.next_cursor === null ? '' : `&cursor=${page.page.next_cursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(all);
    expect((await tenant.call('GET', `${NUMBERS}?account_id=${id}`)).body.data).toHaveLength(4);
    expect((await tenant.call('GET', `${NUMBERS}?status=paused`)).body.data).toEqual([]);
  });

  test('a retry brings what has changed at the network', async () => {
    await kit.simulate('POST', '/_sim/numbers', {
      phone_number_id: account.phoneNumberId,
      waba_id: account.networkAccountId,
      quality_rating: 'RED',
    });
    const [{ id }] = (await tenant.call('GET', '/v1/accounts')).body.data;
    await tenant.call('POST', `/v1/accounts/${id}/retry`);
    expect(await read()).toMatchObject({ quality: 'RED' });
  });
});

describe('PATCH', () => {
  test('pauses with a reason and resumes, with an entry for each', async () => {
    const paused = await tenant.call('PATCH', path, { status: 'paused', pause_reason: 'Holidays' });
    expect(paused).toMatchObject({ status: 200, body: { status: 'paused', pause_reason: 'Holidays', version: 2 } });
    const waiting = await tenant.send(freshPhone(), { phone_number_id: account.phoneNumberId });
    const resumed = await tenant.call('PATCH', path, { status: 'active' });
    expect(resumed.body).toMatchObject({ status: 'active', pause_reason: null, version: 3 });
    await tenant.untilMessage(waiting, ({ status }) => status === 'sent', 'the message is sent');
    expect(await actions()).toEqual(['number.resumed', 'number.paused', 'number.added']);
  });

  test('changes name and speed, and what is the same already is no change', async () => {
    const wish = { name: 'Main desk', rate_limit: 20 };
    expect((await tenant.call('PATCH', path, wish)).body).toMatchObject({ ...wish, version: 2 });
    expect((await tenant.call('PATCH', path, wish)).body).toMatchObject({ ...wish, version: 2 });
    expect((await tenant.call('PATCH', path, { name: null, rate_limit: null })).body).toMatchObject({
      name: null,
      rate_limit: null,
    });
  });

  test.each([
    ['an empty object', {}],
    ['an unknown field', { quality: 'GREEN' }],
    ['a status that is none', { status: 'gone' }],
    ['a reason without a pause', { pause_reason: 'Why?' }],
    ['a negative speed', { rate_limit: -1 }],
  ])('refuses %s', async (_label, body) => {
    expect(await tenant.call('PATCH', path, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await read()).version).toBe(1);
  });

  test('changes only the version that If-Match names', async () => {
    const change = (tag: string) => tenant.call('PATCH', path, { name: tag }, { 'if-match': tag });
    expect((await change('"1"')).headers.get('etag')).toBe('"2"');
    for (const stale of ['"1"', 'W/"2"', '2', '"x"']) {
      expect(await change(stale)).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    }
    expect((await change('"7", "2"')).status).toBe(200);
    expect((await change('*')).status).toBe(200);
  });

  test('of two that change the same version one wins', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(names.map((name) => tenant.call('PATCH', path, { name }, { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });
});

describe('DELETE', () => {
  test('removes a number; its messages stay, and another tenant may link it', async () => {
    const id = await tenant.send(freshPhone(), { phone_number_id: account.phoneNumberId });
    const { from } = await tenant.untilMessage(id, ({ status }) => status === 'sent', 'the message is sent');
    expect((await tenant.call('DELETE', path, undefined, { 'if-match': '"9"' })).status).toBe(412);
    expect(await tenant.call('DELETE', path)).toMatchObject({
      status: 200,
      body: { id: account.phoneNumberId, status: 'deleted' },
    });
    expect((await tenant.call('GET', path)).status).toBe(404);
    expect((await tenant.call('DELETE', path)).status).toBe(404);
    expect((await tenant.message(id)).from).toBe(from);
    const other = await makeTestTenant(kit);
    expect(await linkAccount(other, account.networkAccountId)).toMatchObject({ status: 'linked' });
    expect((await other.call('GET', path)).status).toBe(200);
  });

  test('is refused while messages wait to leave from it', async () => {
    await tenant.call('PATCH', path, { status: 'paused' });
    const id = await tenant.send(freshPhone(), { phone_number_id: account.phoneNumberId });
    expect(await tenant.call('DELETE', path)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await tenant.call('POST', `/v1/messages/${id}/cancel`);
    expect((await tenant.call('DELETE', path)).status).toBe(200);
  });
});

describe('POST', () => {
  const add = (phoneNumberId: string, fields: object = {}, headers = {}) =>
    tenant.call('POST', NUMBERS, { phone_number_id: phoneNumberId, ...fields }, headers);

  test('adds a number that is new at a linked account, registered and ready to send', async () => {
    const fresh = await addSimulatedNumber(kit, account.networkAccountId);
    const headers = { 'idempotency-key': `add-${fresh}` };
    const added = await add(fresh, { name: 'Second desk' }, headers);
    expect(added).toMatchObject({ status: 201, body: { id: fresh, name: 'Second desk', status: 'active' } });
    const replayed = await add(fresh, { name: 'Second desk' }, headers);
    expect([replayed.headers.get('idempotent-replayed'), replayed.body]).toEqual(['true', added.body]);
    expect(await add(fresh)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const id = await tenant.send(freshPhone(), { phone_number_id: fresh });
    await tenant.untilMessage(id, ({ status }) => status === 'sent', 'the message is sent');
  });

  test('brings back a number that was removed', async () => {
    await tenant.call('DELETE', path);
    expect(await add(account.phoneNumberId)).toMatchObject({ status: 201, body: { status: 'active' } });
  });

  test('a number of no linked account, and one of another tenant’s, are refused alike', async () => {
    const other = await makeTestTenant(kit);
    const theirs = await makeSimulatedAccount(kit);
    await linkAccount(other, theirs.networkAccountId);
    const foreign = await add(theirs.phoneNumberId);
    const missing = await add(NOBODYS);
    expect([foreign.status, foreign.body.code]).toEqual([400, 'unknown_phone_number']);
    expect(foreign.text).toBe(missing.text);
  });

  test.each([
    ['phone_numbers', { code: 100 }, 409, 'refused_by_network'],
    ['phone_numbers', { fault: 'cut' }, 503, 'network_unreachable'],
    ['register', { code: 133005 }, 409, 'refused_by_network'],
    ['register', { fault: 'cut' }, 503, 'network_unreachable'],
  ])('says so when the network fails at %s with %j, and adds nothing', async (step, failure, status, code) => {
    const fresh = await addSimulatedNumber(kit, account.networkAccountId);
    await kit.simulate('PUT', '/_sim/failures', { [step]: failure });
    expect(await add(fresh)).toMatchObject({ status, body: { code } });
    expect((await tenant.call('GET', `${NUMBERS}/${fresh}`)).status).toBe(404);
    expect((await add(fresh)).status).toBe(201);
  });

  test.each([
    ['no id', {}],
    ['an id that is none', { phone_number_id: 'abc' }],
    ['an unknown field', { phone_number_id: '1', status: 'active' }],
  ])('refuses %s', async (_label, body) => {
    expect(await tenant.call('POST', NUMBERS, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });
});

test('nobody without a key or the scope comes in, and another tenant’s number reads like none', async () => {
  const other = await makeTestTenant(kit);
  const reader = await makeTestTenant(kit, { scopes: ['numbers:read'] });
  const calls = [
    ['GET', undefined],
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const;
  for (const [method, body] of calls) {
    expect((await callApi(kit.service.url, method, path, body)).status).toBe(401);
    const foreign = await other.call(method, path, body);
    const missing = await other.call(method, `${NUMBERS}/${NOBODYS}`, body);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    expect((await reader.call(method, path, body)).status).toBe(method === 'GET' ? 404 : 403);
  }
  expect((await tenant.call('GET', `${NUMBERS}/abc`)).status).toBe(404);
});
