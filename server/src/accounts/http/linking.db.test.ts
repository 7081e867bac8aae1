import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installationSecret } from '#access/actions/manage-tenants';
import { resumeTenant, suspendTenant } from '#access/actions/suspend-tenant';
import { AT_WORK, UNLINKED } from '#accounts/actions/unlink-account';
import { makeLinkState, readLinkState } from '#accounts/domain/link-state';
import { apiErrors } from '#core/errors';
import {
  addSimulatedNumber,
  allow,
  comeBack,
  linkAccount,
  makeSimulatedAccount,
  passDialog,
  stepsOf,
} from '#testing/peers/link-dialog';
import { TestClock } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const TEN_MINUTES_MS = 600_000;
const NOBODYS = '0190a6f2-0000-7000-8000-00000000dead';
const allDone = { exchange: 'done', inspect: 'done', subscribe: 'done', numbers: 'done', register: 'done' };

let kit: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  await kit.simulate('PUT', '/_sim/failures', {});
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const account = async (id: string) => (await tenant.call('GET', `/v1/accounts/${id}`)).body;
const numberIds = async (owner = tenant) =>
  (await owner.call('GET', '/v1/phone-numbers')).body.data.map(({ id }: { id: string }) => id);
const tokens = async (networkAccountId: string) => {
  const { data } = (await kit.simulate('GET', '/_sim/tokens')).body;
  return data.filter((token: { waba_ids: string[] }) => token.waba_ids.includes(networkAccountId));
};
async function everythingStored(): Promise<string> {
  const tables = ['linked_accounts', 'link_states', 'phone_numbers', 'audit_log', 'idempotency_keys'];
  const rows = await Promise.all(
    tables.map((table) => kit.service.db.run({ name: `test_dump_${table}`, text: `select * from ${table}` }, [])),
  );
  return JSON.stringify(rows);
}

describe('GET /v1/{platform}/oauth/url', () => {
  test('leads to the dialog with a state of ten minutes, under the configured name and under platform', async () => {
    for (const platform of ['meta', 'platform']) {
      const askedMs = Date.now();
      const { status, body } = await tenant.call('GET', `/v1/${platform}/oauth/url`);
      expect([status, Object.keys(body).toSorted()]).toEqual([200, ['expires_at', 'state', 'url']]);
      const url = new URL(body.url);
      expect(url.origin).toBe(kit.sim.url);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        client_id: kit.rt.config.appId,
        redirect_uri: `${kit.service.url}/v1/meta/oauth/callback`,
        response_type: 'code',
        state: body.state,
      });
      expect(Date.parse(body.expires_at) - askedMs).toBeGreaterThanOrEqual(TEN_MINUTES_MS);
    }
  });

  test('another platform is a 404, a missing key a 401, a key without the scope a 403', async () => {
    expect((await tenant.call('GET', '/v1/other/oauth/url')).status).toBe(404);
    expect((await tenant.call('GET', '/v1/other/oauth/callback')).status).toBe(404);
    expect((await callApi(kit.service.url, 'GET', '/v1/meta/oauth/url')).status).toBe(401);
    const reader = await makeTestTenant(kit, { scopes: ['numbers:read'] });
    expect((await reader.call('GET', '/v1/meta/oauth/url')).status).toBe(403);
  });
});

describe('the way back', () => {
  test('links the account: token kept encrypted, app subscribed, number registered, and the number sends', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const linked = await linkAccount(tenant, networkAccountId);
    expect(linked).toMatchObject({ status: 'linked', network_account_ids: [networkAccountId], replaced_at: null });
    expect(stepsOf(linked)).toEqual(allDone);
    expect(await account(linked.id)).toEqual(linked);
    expect(await numberIds()).toContain(phoneNumberId);
    const [{ token }] = await tokens(networkAccountId);
    expect(await everythingStored()).not.toContain(token);
    expect(JSON.stringify(linked)).not.toContain(token);
    const subscribed = await callApi(kit.sim.url, 'GET', `/v25.0/${networkAccountId}/subscribed_apps`, undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(subscribed.body.data).toHaveLength(1);
    const id = await tenant.send(freshPhone(), { phone_number_id: phoneNumberId });
    await tenant.untilMessage(id, ({ status }) => status === 'sent', 'the message is sent');
  });

  test('is refused while the tenant is suspended, links nothing, and works once it is resumed', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const back = await passDialog(tenant, allow(networkAccountId));
    const { tenantId } = tenant;
    await suspendTenant(kit.rt, kit.service.db, { tenantId, reason: 'Unpaid.' });
    const refused = await comeBack(back);
    expect(refused).toMatchObject({ status: 403, body: { code: 'tenant_suspended' } });
    expect(refused.body.error).toContain('Unpaid.');
    expect((await comeBack(back, 'text/html')).text).toContain('Unpaid.');
    expect(await tokens(networkAccountId)).toEqual([]);
    await resumeTenant(kit.rt, kit.service.db, tenantId);
    expect((await comeBack(back)).body).toMatchObject({ status: 'linked' });
  });

  test('shows a person a page that loads nothing, and says what happened', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const page = await comeBack(await passDialog(tenant, allow(networkAccountId)), 'text/html,*/*;q=0.8');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).toContain('The account is linked');
    expect(page.text).toContain(`Number ${phoneNumberId}: done.`);
    expect(page.text).not.toMatch(/(src|href)=/);
  });

  test('a new account of the dialog gets its number registered with a PIN that is the same next time', async () => {
    const answer = await comeBack(await passDialog(tenant, { decision: 'continue', waba_id: 'new', name: 'Fresh' }));
    expect(answer.body).toMatchObject({ status: 'linked' });
    const again = await tenant.call('POST', `/v1/accounts/${answer.body.id}/retry`);
    expect(again.body).toMatchObject({ status: 'linked' });
  });

  test('a person who says no is told so, nothing is linked, and the state is used up', async () => {
    const address = await passDialog(tenant, { decision: 'cancel' });
    expect(await comeBack(address)).toMatchObject({ status: 400, body: { code: 'link_refused' } });
    expect(await comeBack(address)).toMatchObject({ status: 400, body: { code: 'invalid_link_state' } });
    const page = await comeBack(await passDialog(tenant, { decision: 'cancel' }), 'text/html');
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(apiErrors.link_refused.sentence)]);
    expect((await tenant.call('GET', '/v1/accounts')).body.data).toEqual([]);
  });

  test('words of the address never get into the page', async () => {
    const address = new URL(await passDialog(tenant, { decision: 'cancel' }));
    address.searchParams.set('error', '<script>alert(1)</script>');
    address.searchParams.set('error_reason', '<script>alert(1)</script>');
    expect((await comeBack(address.href, 'text/html')).text).not.toContain('<script>');
  });

  test('a state works once, also for twenty that come at the same time', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const address = await passDialog(tenant, allow(networkAccountId));
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(address)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.code ?? 'linked'))).toEqual(
      new Set(['linked', 'invalid_link_state']),
    );
    expect(await tokens(networkAccountId)).toHaveLength(1);
  });

  test.each([
    ['none at all', () => null],
    ['one with a changed letter', (state: string) => `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`],
    ['one of another tenant’s name', (state: string) => NOBODYS + state.slice(NOBODYS.length)],
    ['something else', () => 'state'],
  ])('a state that is %s changes nothing', async (_label, forge) => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const address = new URL(await passDialog(tenant, allow(networkAccountId)));
    const forged = forge(address.searchParams.get('state') ?? '');
    address.searchParams.delete('state');
    if (forged !== null) address.searchParams.set('state', forged);
    expect(await comeBack(address.href)).toMatchObject({ status: 400, body: { code: 'invalid_link_state' } });
    expect(await tokens(networkAccountId)).toEqual([]);
  });

  test('a state that we signed for a dialog that we never opened is not taken', async () => {
    const secret = await installationSecret(kit.service.db, 'link_key');
    const address = new URL(await passDialog(tenant, { decision: 'cancel' }));
    const state = readLinkState(secret, address.searchParams.get('state') ?? '');
    if (state === null) throw new Error('The state cannot be read.');
    const invented = makeLinkState(secret, { ...state, stateId: NOBODYS as typeof state.stateId });
    address.searchParams.set('state', invented);
    expect(await comeBack(address.href)).toMatchObject({ status: 400, body: { code: 'invalid_link_state' } });
  });

  test('a code that expired or was used links nothing, and the account says why', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const address = new URL(await passDialog(tenant, allow(networkAccountId)));
    address.searchParams.set('code', 'AQ-never-given');
    const answer = await comeBack(address.href);
    expect(answer).toMatchObject({ status: 400, body: { code: 'link_failed' } });
    const { data } = (await tenant.call('GET', '/v1/accounts')).body;
    expect(data).toMatchObject([{ status: 'failed' }]);
    expect(stepsOf(data[0])).toEqual({ exchange: 'network_refused', inspect: 'pending' });
    expect((await tenant.call('POST', `/v1/accounts/${data[0].id}/retry`)).status).toBe(409);
    expect(await tokens(networkAccountId)).toEqual([]);
  });
});

describe('a step that fails', () => {
  test.each([
    ['debug_token', 'inspect'],
    ['subscribe', 'subscribe'],
    ['phone_numbers', 'numbers'],
    ['register', 'register'],
  ])('at the network’s %s is shown, and is run again alone', async (fault, step) => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    for (const [failure, code] of [
      [{ code: 131000 }, 'network_refused'],
      [{ fault: 'cut' }, 'network_unreachable'],
    ] as const) {
      await kit.simulate('PUT', '/_sim/failures', { [fault]: failure });
      const linked = await linkAccount(tenant, networkAccountId);
      expect(linked.status).toBe('incomplete');
      expect(stepsOf(linked)[step]).toBe(code);
      expect(await numberIds()).not.toContain(phoneNumberId);
    }
    const [{ id }] = (await tenant.call('GET', '/v1/accounts')).body.data;
    const before = await account(id);
    const again = (await tenant.call('POST', `/v1/accounts/${id}/retry`)).body;
    expect(again.status).toBe('linked');
    expect(again.steps.find((item: { step: string }) => item.step === 'exchange')).toEqual(before.steps[0]);
    expect(await numberIds()).toContain(phoneNumberId);
  });

  test('a passing fault of the exchange does not cost the person another dialog', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    await kit.simulate('PUT', '/_sim/failures', { oauth_token: { code: 2 } });
    expect((await linkAccount(tenant, networkAccountId)).status).toBe('linked');
  });

  test('one number that fails keeps no other from sending', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const second = await addSimulatedNumber(kit, networkAccountId);
    await kit.simulate('PUT', '/_sim/failures', { register: { code: 131000 } });
    const linked = await linkAccount(tenant, networkAccountId);
    expect(linked.status).toBe('incomplete');
    const here = (await numberIds()).filter((id: string) => [phoneNumberId, second].includes(id));
    expect(here).toHaveLength(1);
    const again = await tenant.call('POST', `/v1/accounts/${linked.id}/retry`);
    expect(again.body.status).toBe('linked');
    expect(await numberIds()).toEqual(expect.arrayContaining([phoneNumberId, second]));
  });

  test('a repetition with the same Idempotency-Key runs nothing again', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const { id } = await linkAccount(tenant, networkAccountId);
    const once = () => tenant.call('POST', `/v1/accounts/${id}/retry`, undefined, { 'idempotency-key': `retry-${id}` });
    const first = await once();
    const second = await once();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });
});

describe('between tenants', () => {
  test('a number of another tenant stays his, is neither registered nor linked, and the step says so', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const first = await linkAccount(tenant, networkAccountId);
    const other = await makeTestTenant(kit);
    const linked = await linkAccount(other, networkAccountId);
    expect(linked.status).toBe('incomplete');
    expect(stepsOf(linked).register).toBe('number_taken');
    expect(await numberIds(other)).not.toContain(phoneNumberId);
    expect(await numberIds()).toContain(phoneNumberId);
    expect(await account(first.id)).toMatchObject({ status: 'linked' });
  });

  test('another tenant’s account and none at all read alike', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const { id } = await linkAccount(tenant, networkAccountId);
    const other = await makeTestTenant(kit);
    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', '/retry'],
      ['DELETE', ''],
    ] as const) {
      const foreign = await other.call(method, `/v1/accounts/${id}${suffix}`);
      const missing = await other.call(method, `/v1/accounts/${NOBODYS}${suffix}`);
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    }
    expect((await other.call('GET', '/v1/accounts')).body.data).toEqual([]);
  });
});

describe('unlinking', () => {
  const unlink = (id: string) => tenant.call('DELETE', `/v1/accounts/${id}`);

  test('erases the account with its token, pauses its numbers, and stands in the audit log', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const { id } = await linkAccount(tenant, networkAccountId);
    expect(await unlink(id)).toMatchObject({
      status: 200,
      body: { id, status: 'deleted', paused_numbers: [phoneNumberId] },
    });
    expect((await tenant.call('GET', `/v1/accounts/${id}`)).status).toBe(404);
    expect((await unlink(id)).status).toBe(404);
    expect((await tenant.call('GET', `/v1/phone-numbers/${phoneNumberId}`)).body).toMatchObject({
      status: 'paused',
      pause_reason: UNLINKED,
    });
    const { rows } = await kit.service.db.run(
      { name: 'test_account_left', text: 'select 1 from linked_accounts where account_id = $1' },
      [id],
    );
    expect(rows).toEqual([]);
    const { data } = (await tenant.call('GET', '/v1/audit-log?limit=2')).body;
    const told = data.map(({ action, target_id: target }: Record<string, string>) => [action, target]);
    expect(told.toSorted()).toEqual([
      ['account.unlinked', id],
      ['number.paused', phoneNumberId],
    ]);
  });

  test('keeps what waits to leave; the next link for the same account of the network sends it', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const { id } = await linkAccount(tenant, networkAccountId);
    await unlink(id);
    const messageId = await tenant.send(freshPhone(), { phone_number_id: phoneNumberId });
    expect((await tenant.message(messageId)).status).toBe('queued');
    await linkAccount(tenant, networkAccountId);
    await tenant.untilMessage(messageId, ({ status }) => status === 'sent', 'the message is sent with the new token');
    expect(await account(id)).toMatchObject({ code: 'not_found' });
  });

  test('is refused while steps are being run, and changes nothing then', async () => {
    const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
    const { id } = await linkAccount(tenant, networkAccountId);
    const alive = 'update linked_accounts set run_until_ms = $2 where account_id = $1';
    await kit.service.db.run({ name: 'test_account_at_work', text: alive }, [id, Date.now() + 60_000]);
    expect(await unlink(id)).toMatchObject({ status: 409, body: { error: AT_WORK, code: 'conflict' } });
    expect((await tenant.call('GET', `/v1/phone-numbers/${phoneNumberId}`)).body.status).toBe('active');
    expect((await account(id)).status).toBe('linking');
  });

  test('needs a key that may write numbers', async () => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    const { id } = await linkAccount(tenant, networkAccountId);
    const made = await tenant.call('POST', '/v1/api-keys', { name: 'reader', scopes: ['numbers:read'] });
    const authorization = `Bearer ${made.body.key}`;
    expect((await callApi(kit.service.url, 'DELETE', `/v1/accounts/${id}`, undefined, { authorization })).status).toBe(
      403,
    );
    expect((await account(id)).status).toBe('linked');
  });
});

test('linking again replaces the earlier permission and forgets its token', async () => {
  const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
  const first = await linkAccount(tenant, networkAccountId);
  const second = await linkAccount(tenant, networkAccountId);
  expect(await account(first.id)).toMatchObject({ status: 'replaced', token_expires_at: expect.anything() });
  const { rows } = await kit.service.db.run(
    { name: 'test_token_of', text: 'select token from linked_accounts where account_id = $1' },
    [first.id],
  );
  expect(rows).toEqual([{ token: null }]);
  expect((await tenant.call('GET', `/v1/phone-numbers/${phoneNumberId}`)).body.account_id).toBe(second.id);
  const { data } = (await tenant.call('GET', `/v1/audit-log?action=account.linked`)).body;
  expect(data.map(({ target_id: id }: { target_id: string }) => id)).toEqual([second.id, first.id]);
  expect(data[0]).toMatchObject({ actor: { kind: 'key' }, details: { replaced: [first.id] } });
});

test('an expired state is refused', async () => {
  const clock = new TestClock(Date.now());
  const own = await startTestService({ clock, config: { roles: 'api' } });
  try {
    const address = await passDialog(own, { decision: 'continue', waba_id: 'new' });
    clock.advance(TEN_MINUTES_MS);
    expect(await comeBack(address)).toMatchObject({ status: 400, body: { code: 'invalid_link_state' } });
    expect((await own.simulate('GET', '/_sim/tokens')).body.data).toEqual([]);
  } finally {
    await own.close();
  }
});

test('a service without a key to encrypt tokens with opens no dialog', async () => {
  const own = await startTestService({ config: { roles: 'api', encryptionKey: '', networkIsSimulator: 'no' } });
  try {
    const asked = await own.call('GET', '/v1/meta/oauth/url');
    // The embedded database has a key of its own; PostgreSQL with a real network needs one of the operator.
    const expected = own.service.db.kind === 'pglite' ? 200 : 503;
    expect(asked.status).toBe(expected);
  } finally {
    await own.close();
  }
});
