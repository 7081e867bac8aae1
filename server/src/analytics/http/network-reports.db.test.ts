import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_NUMBER } from '#accounts/actions/bootstrap-tenant';
import { linkAccount, makeSimulatedAccount, type SimulatedAccount } from '#testing/peers/link-dialog';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const UNDELIVERABLE = '99900000003';
const BASE = '/v1/analytics/network';

let kit: TestService;
let tenant: TestTenant;
let account: SimulatedAccount;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  await kit.simulate('PUT', '/_sim/failures', {});
  tenant = await makeTestTenant(kit);
  account = await linked(tenant);
  // Its own number is in no account: all that are left are in this one.
  expect((await tenant.call('DELETE', `/v1/phone-numbers/${tenant.phoneNumberId}`)).status).toBe(200);
});
afterAll(() => kit.close());

async function linked(of: TestTenant): Promise<SimulatedAccount> {
  const made = await makeSimulatedAccount(kit, true);
  await linkAccount(of, made.networkAccountId);
  return made;
}

/** Sends from a number of an account, and waits until the message is read, or has failed. */
async function send(message: object = {}, to = freshPhone(), from = account.phoneNumberId): Promise<Answer['body']> {
  const id = await tenant.send(to, { phone_number_id: from, ...message });
  const last = to === UNDELIVERABLE ? 'failed' : 'read';
  return tenant.untilMessage(id, ({ delivery }) => delivery.state === last, `it is ${last}`);
}

/** A report once everything that happened is in our sums. */
function report(path: string, of = tenant): Promise<Answer> {
  return kit.until(
    () => of.call('GET', BASE + path),
    ({ status, body }) => status !== 200 || body.complete === true,
    'the report is complete',
  );
}

const csv = (path: string) => tenant.call('GET', BASE + path, undefined, { accept: 'text/csv' });

/** Of the network's own paths. */
async function atNetwork(path: string): Promise<void> {
  const response = await fetch(`${kit.sim.url}/v26.0/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer token' },
  });
  expect(response.status).toBe(200);
}

/** An approved template with a button, as it is sent. */
async function approved(name: string): Promise<{ readonly message: object; readonly networkId: string }> {
  const button = { type: 'QUICK_REPLY', text: 'Show me' };
  const components = [
    { type: 'BODY', text: 'Everything is half price.' },
    { type: 'BUTTONS', buttons: [button] },
  ];
  const draft = { name, language: 'en', category: 'marketing', components };
  const { id } = (await tenant.call('POST', '/v1/templates', { ...draft, ...accountField() })).body;
  await tenant.call('POST', `/v1/templates/${id}/submit`);
  const read = async () => (await tenant.call('GET', `/v1/templates/${id}`)).body;
  const template = await kit.until(read, ({ status }) => status === 'approved', 'the template is approved');
  const message = { type: 'template', body: undefined, template: { name, language: 'en' } };
  return { message, networkId: template.network_template_id };
}

const accountField = () => ({ network_account_id: account.networkAccountId });
const ofAccount = () => `network_account_id=${account.networkAccountId}`;
const step = { start: expect.stringMatching(/T00:00:00\.000Z$/), end: expect.stringMatching(/T00:00:00\.000Z$/) };

describe('messages', () => {
  test('are those that the network counts, beside ours of the same step', async () => {
    await send();
    await send({}, UNDELIVERABLE);
    const { status, body } = await report('/messages');
    expect(status).toBe(200);
    expect(body).toMatchObject({ timezone: 'UTC', complete: true, interval: 'day', ...accountField() });
    expect([body.from, body.to]).toEqual([step.start, step.end]);
    expect(body.data).toEqual([{ ...step, sent: 2, delivered: 1, ours: { sent: 2, delivered: 1 } }]);
    const [row] = body.data;
    const table = await csv('/messages');
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(table.text).toBe(`start,end,sent,delivered,ours_sent,ours_delivered\r\n${row.start},${row.end},2,1,2,1\r\n`);
    const months = (await report('/messages?interval=month')).body;
    expect([months.interval, months.data]).toEqual(['month', [expect.objectContaining({ sent: 2, delivered: 1 })]]);
  });

  test('of several accounts are those of the one that is named, and of the number that is', async () => {
    const second = await linked(tenant);
    await send();
    await send({}, freshPhone(), second.phoneNumberId);
    await send({}, freshPhone(), second.phoneNumberId);
    const refused = await tenant.call('GET', `${BASE}/messages`);
    expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_network_account' } });
    const rowsOf = async (query: string) => (await report(`/messages?${query}`)).body.data;
    expect(await rowsOf(ofAccount())).toMatchObject([{ sent: 1, ours: { sent: 1 } }]);
    const other = `network_account_id=${second.networkAccountId}`;
    expect(await rowsOf(other)).toMatchObject([{ sent: 2, ours: { sent: 2 } }]);
    expect(await rowsOf(`${other}&phone_number_id=${second.phoneNumberId}`)).toMatchObject([{ sent: 2 }]);
    const elsewhere = await tenant.call(
      'GET',
      `${BASE}/messages?${ofAccount()}&phone_number_id=${second.phoneNumberId}`,
    );
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'unknown_phone_number' } });
  });

  test('of another tenant are not counted, also in an account that both have numbers in', async () => {
    await send();
    const [mine, theirs] = [
      await makeTestTenant(kit, { networkAccountId: account.networkAccountId }),
      await makeTestTenant(kit, { networkAccountId: account.networkAccountId }),
    ];
    for (const one of [mine, theirs]) {
      const { phone } = (await one.call('GET', `/v1/phone-numbers/${one.phoneNumberId}`)).body;
      const fields = { phone_number_id: one.phoneNumberId, waba_id: account.networkAccountId, registered: true };
      await kit.simulate('POST', '/_sim/numbers', { ...fields, display_phone_number: phone });
      const id = await one.send(freshPhone());
      await one.untilMessage(id, ({ delivery }) => delivery.state === 'read', 'it is read');
    }
    expect((await report('/messages', mine)).body.data).toMatchObject([{ sent: 1, ours: { sent: 1 } }]);
    expect((await report('/messages', tenant)).body.data).toMatchObject([{ sent: 1, ours: { sent: 1 } }]);
  });

  test('of an account without a number of the tenant are none', async () => {
    expect((await tenant.call('DELETE', `/v1/phone-numbers/${account.phoneNumberId}`)).status).toBe(200);
    await kit.simulate('PUT', '/_sim/failures', { analytics: { code: 100 } });
    expect((await report('/messages')).body.data).toEqual([]);
  });
});

describe('prices', () => {
  test('are by category, with ours of the same category', async () => {
    await send((await approved('sale_approved')).message);
    await send();
    await send({}, UNDELIVERABLE);
    const { body } = await report('/pricing');
    expect(body.data).toEqual([
      { ...step, key: 'marketing', volume: 1, cost: 0.025, ours: { delivered: 1 } },
      { ...step, key: 'service', volume: 1, cost: 0, ours: { delivered: 1 } },
    ]);
    const table = await csv('/pricing');
    const [columns, first] = table.text.split('\r\n');
    expect(columns).toBe('start,end,key,volume,cost,ours_delivered');
    expect(first).toMatch(/,marketing,1,0\.025,1$/);
  });

  test('are by number, type, country and tier as well, and ours are null where we do not count it', async () => {
    await send({}, '447700900123');
    const rowsOf = async (query: string) => (await report(`/pricing?${query}`)).body.data;
    const { phoneNumberId } = account;
    expect(await rowsOf('by=phone_number_id')).toMatchObject([{ key: phoneNumberId, ours: { delivered: 1 } }]);
    expect(await rowsOf('by=type')).toMatchObject([{ key: 'free_customer_service', volume: 1, ours: null }]);
    expect(await rowsOf('by=country')).toMatchObject([{ key: 'gb', ours: null }]);
    expect(await rowsOf('by=tier')).toMatchObject([{ key: '0:25000', ours: null }]);
    expect((await csv('/pricing?by=tier')).text).toMatch(/,0:25000,1,0,\r\n$/);
    await linked(tenant);
    expect(await rowsOf(`by=category&${ofAccount()}`)).toMatchObject([{ key: 'service', volume: 1, ours: null }]);
  });
});

test('conversations are by what is asked for, and not those of the inbox', async () => {
  const customer = freshPhone();
  await send({}, customer);
  await send({}, customer);
  await send((await approved('begin_approved')).message, customer);
  const { body } = await report('/conversations');
  expect(body.data).toEqual([
    { ...step, key: 'marketing', conversations: 1, cost: 0.025 },
    { ...step, key: 'service', conversations: 1, cost: 0 },
  ]);
  const keysBy = async (by: string) =>
    (await report(`/conversations?by=${by}`)).body.data.map(({ key }: { key: string }) => key);
  expect(await keysBy('direction')).toEqual(['business_initiated', 'user_initiated']);
  expect(await keysBy('type')).toEqual(['free_tier', 'regular']);
  expect(await keysBy('country')).toEqual(['gb']);
  expect(await keysBy('phone_number_id')).toEqual([account.phoneNumberId]);
  const [columns, first] = (await csv('/conversations')).text.split('\r\n');
  expect([columns, first]).toEqual(['start,end,key,conversations,cost', expect.stringMatching(/,marketing,1,0\.025$/)]);
});

describe('templates', () => {
  test('are counted with clicks and costs, once insights are enabled at the network', async () => {
    const { message, networkId } = await approved('spring_approved');
    const customer = freshPhone();
    const { delivery } = await send(message, customer);
    const button = { payload: 'Show me', text: 'Show me' };
    const tap = { from: customer, phone_number_id: account.phoneNumberId, button };
    await kit.simulate('POST', '/_sim/inbound', { ...tap, reply_to: delivery.network_message_id });
    const list = () => tenant.call('GET', `/v1/messages/inbound?from=${customer}`);
    await kit.until(list, ({ body }) => body.data.length === 1, 'the tap has come');
    const refused = await report('/templates');
    expect(refused).toMatchObject({ status: 409, body: { code: 'refused_by_network' } });
    expect(refused.body.error).toMatch(/insights are not enabled.*200007/);
    await atNetwork(`${account.networkAccountId}?is_enabled_for_insights=true`);
    const row = {
      ...{ ...step, template: 'spring_approved', language: 'en', network_template_id: networkId },
      ...{ sent: 1, delivered: 1, read: 1 },
      clicks: [{ type: 'quick_reply_button', button: 'Show me', count: 1 }],
      ...{ amount_spent: 0.025, cost_per_delivered: 0.025, cost_per_click: null },
      ours: { sent: 1, delivered: 1, read: 1, replied: 1 },
    };
    expect((await report('/templates')).body.data).toEqual([row]);
    expect((await report('/templates?template=spring_approved&interval=day')).body.data).toEqual([row]);
    for (const name of ['autumn', 'null', '{"a":1}', 'a,"b']) {
      expect((await report(`/templates?template=${encodeURIComponent(name)}`)).body.data).toEqual([]);
    }
    const [columns, first] = (await csv('/templates')).text.split('\r\n');
    expect(columns).toBe(
      'start,end,template,language,network_template_id,sent,delivered,read,clicks,amount_spent,cost_per_delivered,cost_per_click,ours_sent,ours_delivered,ours_read,ours_replied',
    );
    expect(first).toMatch(/,1,1,1,1,0\.025,0\.025,,1,1,1,1$/);
    await linked(tenant);
    expect((await report(`/templates?${ofAccount()}`)).body.data).toEqual([{ ...row, ours: null }]);
  });
});

describe('every report', () => {
  const REPORTS = ['messages', 'pricing', 'conversations', 'templates'];
  /** Each asks the network. */
  const withTemplate = async (name: string) => {
    if (name !== 'templates') return `/${name}`;
    await approved('asked_approved');
    return '/templates?template=asked_approved';
  };

  test.each(REPORTS)('of %s refuses accounts and numbers of others like those of nobody', async (name) => {
    const other = await makeTestTenant(kit);
    const foreign = await linked(other);
    const ask = async (query: string) => {
      const { status, text } = await tenant.call('GET', `${BASE}/${name}?${query}`);
      return [status, text];
    };
    expect(await ask(`network_account_id=${foreign.networkAccountId}`)).toEqual(await ask('network_account_id=99'));
    expect((await ask('network_account_id=99'))[0]).toBe(400);
    const known = name === 'templates' ? 'query.phone_number_id' : 'unknown_phone_number';
    expect((await ask(`phone_number_id=${foreign.phoneNumberId}`))[1]).toContain(known);
    expect(await ask(`phone_number_id=${foreign.phoneNumberId}`)).toEqual(await ask('phone_number_id=99'));
  });

  test.each(REPORTS)('of %s has a longest time, and no time zone', async (name) => {
    const days = name === 'templates' ? 90 : 366;
    const endMs = Date.UTC(2026, 0, 1);
    const from = (ahead: number) => new Date(endMs - (days + ahead) * 24 * 3600 * 1000).toISOString();
    const ask = (query: string) => tenant.call('GET', `${BASE}/${name}?${query}`);
    expect((await ask(`from=${from(0)}&to=2026-01-01`)).status).toBe(200);
    const message = `from and to can be at most ${days} days apart.`;
    expect((await ask(`from=${from(1)}&to=2026-01-01`)).body.details).toEqual([{ path: 'query.from', message }]);
    expect((await ask('timezone=Europe/Berlin')).body.details).toMatchObject([{ path: 'query.timezone' }]);
  });

  test.each(REPORTS)('of %s says what keeps the network from answering', async (name) => {
    const path = await withTemplate(name);
    const ask = async (failure: object) => {
      await kit.simulate('PUT', '/_sim/failures', { analytics: failure });
      const { status, body, headers } = await tenant.call('GET', BASE + path);
      return { status, code: body.code, error: body.error, retryAfter: headers.get('retry-after') };
    };
    const refused = { status: 409, code: 'refused_by_network' };
    expect(await ask({ code: 100 })).toMatchObject({ ...refused, error: expect.stringContaining('(Code 100') });
    const unreachable = { status: 503, code: 'network_unreachable', retryAfter: expect.stringMatching(/^\d+$/) };
    expect(await ask({ fault: 'cut' })).toMatchObject(unreachable);
    expect(await ask({ code: 4, status: 429 })).toMatchObject(unreachable);
  });

  test.each(REPORTS)('of %s needs the token of the account', async (name) => {
    const [{ id }] = (await tenant.call('GET', '/v1/accounts')).body.data;
    expect((await tenant.call('DELETE', `/v1/accounts/${id}`)).status).toBe(200);
    expect(await tenant.call('GET', `${BASE}/${name}`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

test('the number of a new installation is the one that the simulator shows, so that its figures are found', async () => {
  const url = `${kit.sim.url}/v26.0/${DEMO_NUMBER.phoneNumberId}?fields=display_phone_number`;
  const response = await fetch(url, { headers: { authorization: 'Bearer token' } });
  const { display_phone_number: shown } = (await response.json()) as { readonly display_phone_number: string };
  expect(shown.replace(/\D/g, '')).toBe(DEMO_NUMBER.displayPhone);
});
