import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowAddresses, createApiKey } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { numberRules } from '#accounts/http/number-limit';
import { networkOperations } from '#bin/operations';
import { described } from '#http/testing/described';
import { callbackBody, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ config: { trustedProxies: '127.0.0.1' } });
});
afterAll(() => kit.close());

interface Limits {
  readonly allowedIps?: readonly string[];
  readonly phoneNumberIds?: readonly string[];
}

async function keyOf({ tenantId }: TestTenant, limits: Limits): Promise<string> {
  const fields = { tenantId, name: 'limited', mode: 'test', scopes: [], expiresMs: null } as const;
  return (await createApiKey(kit.rt, kit.service.db, { ...fields, ...limits })).key;
}

function call(key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  return callApi(kit.service.url, method, path, body, { authorization: `Bearer ${key}`, ...headers });
}

/** Gives the tenant one more sending number. */
async function moreNumber({ tenantId }: TestTenant): Promise<string> {
  const phoneNumberId = freshPhone().replace(/^4477/, '30');
  const number = { tenantId, phoneNumberId, displayPhone: freshPhone(), name: null, ratePerSecond: null };
  await addPhoneNumber(kit.rt, kit.service.db, number);
  return phoneNumberId;
}

describe('a key that is limited to one sending number', () => {
  const UNKNOWN = '0190a6f2-0000-7000-8000-00000000dead';
  const rowsOf = async (path: string, key: string): Promise<readonly { phone_number_id: string }[]> =>
    (await call(key, 'GET', path)).body.data;
  let tenant: TestTenant;
  let key: string;
  let own: string;
  let other: string;
  /** Some operations are for agents alone. */
  let agentId: string;
  /** One of each thing, by number. */
  const things: Record<string, Record<string, string>> = {};

  beforeAll(async () => {
    tenant = await makeTestTenant(kit);
    // Not the first one: without the limit a message would leave from another.
    other = tenant.phoneNumberId;
    own = await moreNumber(tenant);
    key = await keyOf(tenant, { phoneNumberIds: [own] });
    agentId = (await tenant.call('POST', '/v1/agents', { name: 'Ana', role: 'owner' })).body.id;
    for (const number of [own, other]) {
      const message = await tenant.send(freshPhone(), { phone_number_id: number });
      await ingest(
        kit,
        callbackBody({ phoneNumberId: number, messages: [inboundText(`wamid.${number}`, freshPhone())] }),
      );
      const [conversation] = (await tenant.call('GET', `/v1/conversations?phone_number_id=${number}`)).body.data;
      const headers = { 'x-agent-id': agentId };
      await tenant.call('PUT', `/v1/conversations/${conversation.id}/draft`, { body: 'Hi' }, headers);
      const draft = { name: number, template: { name: 'order_ready', language: 'en_US' }, phone_number_id: number };
      const campaign = (await tenant.call('POST', '/v1/campaigns', draft)).body;
      things[number] = { message, conversation: conversation.id, campaign: campaign.id };
    }
  });

  test('is refused every operation that is not held to numbers, before anything else is looked at', async () => {
    const refused = described.filter(({ id, scope }) => scope !== null && numberRules[id] === undefined);
    expect(refused.length).toBeGreaterThan(50);
    for (const { id, method, path } of refused) {
      const answer = await call(key, method, path.replace(/\{\w+\}/g, UNKNOWN));
      expect([id, answer.status, answer.body?.error]).toEqual([
        id,
        403,
        'This API key is limited to some sending numbers and is not allowed to do this.',
      ]);
    }
  });

  test.each([
    'message',
    'conversation',
    'campaign',
  ])('reaches a %s of its number, and finds none of another', async (thing) => {
    const operations = described.filter(({ id }) => numberRules[id] === thing);
    expect(operations.length).toBeGreaterThan(4);
    for (const { id, method, path } of operations) {
      const at = (thingId = '') =>
        call(key, method, path.replace('{id}', thingId), method === 'GET' ? undefined : {}, { 'x-agent-id': agentId });
      const [foreign, absent] = [await at(things[other]?.[thing]), await at(UNKNOWN)];
      // A body that is not valid is refused before: then it is the same for both.
      expect([id, foreign.status, foreign.text]).toEqual([id, absent.status, absent.text]);
      expect([id, foreign.status]).toEqual([id, method === 'GET' ? 404 : expect.toSatisfy(isRefusal)]);
      if (method === 'GET') expect([id, (await at(things[own]?.[thing])).status]).toEqual([id, 200]);
    }
  });

  test('changes nothing of another number', async () => {
    const before = (await tenant.call('GET', `/v1/conversations/${things[other]?.conversation}`)).body;
    const path = (thing: string, verb: string) => `/v1/${thing}s/${things[other]?.[thing]}${verb}`;
    const answers = [
      await call(key, 'POST', path('conversation', '/messages'), { body: 'Hi' }),
      await call(key, 'POST', path('conversation', '/resolve')),
      await call(key, 'POST', path('message', '/cancel')),
      await call(key, 'POST', path('campaign', '/recipients'), { recipients: [{ to: freshPhone() }] }),
      await call(key, 'POST', path('campaign', '/start')),
      await call(key, 'DELETE', path('campaign', '')),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await tenant.call('GET', `/v1/conversations/${before.id}`)).body).toEqual(before);
    expect((await tenant.call('GET', path('campaign', ''))).status).toBe(200);
  });

  test('sends from its number, also when it names none, and from no other', async () => {
    const to = freshPhone();
    for (const fields of [{}, { phone_number_id: own }]) {
      const { status, body } = await call(key, 'POST', '/v1/messages', { to, body: 'Hi', ...fields });
      expect([status, (await tenant.message(body.id)).phone_number_id]).toEqual([202, own]);
    }
    const refused = [
      await call(key, 'POST', '/v1/messages', { to, body: 'Hi', phone_number_id: other }),
      await call(key, 'POST', '/v1/messages', { to, body: 'Hi', phone_number_id: '424242' }),
      await call(key, 'POST', '/v1/messages?dry_run=true', { to, body: 'Hi', phone_number_id: other }),
    ];
    expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual(
      Array(3).fill('403 {"error":"This API key is limited to other sending numbers.","code":"forbidden"}'),
    );
  });

  test('answers and reacts to nothing of another number, in the same words as to what does not exist', async () => {
    const to = freshPhone();
    const [mine, foreign] = [own, other].map((number) => things[number]);
    const reply = (id: string | undefined) => ({ to, body: 'Hi', reply_to: id });
    const react = (id: string | undefined) => ({ to, type: 'reaction', reaction: { message_id: id, emoji: '👍' } });
    for (const body of [reply, react]) {
      const wordsOf = async (path: string, sent: object) => (await call(key, 'POST', path, sent)).text;
      const unknown = await wordsOf('/v1/messages', body(UNKNOWN));
      expect(unknown).toContain('unknown_reply_to');
      expect(await wordsOf('/v1/messages', body(foreign?.message))).toBe(unknown);
      expect(await wordsOf('/v1/messages?dry_run=true', body(foreign?.message))).toBe(
        await wordsOf('/v1/messages?dry_run=true', body(UNKNOWN)),
      );
      expect(await wordsOf('/v1/messages/batch', { messages: [body(foreign?.message)] })).toBe(
        await wordsOf('/v1/messages/batch', { messages: [body(UNKNOWN)] }),
      );
    }
    const inConversation = (id: string | undefined) =>
      call(key, 'POST', `/v1/conversations/${mine?.conversation}/messages`, { body: 'Hi', reply_to: id });
    expect((await inConversation(foreign?.message)).text).toBe((await inConversation(UNKNOWN)).text);
    expect((await call(key, 'POST', '/v1/messages', reply(mine?.message))).status).toBe(202);
    expect(
      (await tenant.call('POST', '/v1/messages', { ...reply(foreign?.message), phone_number_id: own })).status,
    ).toBe(202);
  });

  test('sends no message of a batch that names another number, and any other batch from its own', async () => {
    const to = freshPhone();
    const mixed = {
      messages: [
        { to, body: 'one' },
        { to, body: 'two', phone_number_id: other },
      ],
    };
    expect((await call(key, 'POST', '/v1/messages/batch', mixed)).status).toBe(403);
    expect(await rowsOf(`/v1/messages/outbound?to=${to}`, tenant.key)).toEqual([]);
    const good = await call(key, 'POST', '/v1/messages/batch', { messages: [{ to, body: 'one' }, 'nonsense'] });
    expect(good.body.data.map(({ status }: { status: number }) => status)).toEqual([202, 400]);
    expect(await rowsOf(`/v1/messages/outbound?to=${to}`, tenant.key)).toMatchObject([{ phone_number_id: own }]);
  });

  test.each([
    '/v1/messages/outbound',
    '/v1/messages/inbound',
    '/v1/conversations',
  ])('sees only its number in %s', async (path) => {
    const rows = await rowsOf(path, key);
    expect(new Set(rows.map((row) => row.phone_number_id))).toEqual(new Set([own]));
    expect((await call(key, 'GET', `${path}?phone_number_id=${other}`)).status).toBe(403);
    expect((await rowsOf(path, tenant.key)).some((row) => row.phone_number_id === other)).toBe(true);
  });

  test('drafts campaigns of its number alone', async () => {
    const draft = { name: 'x', template: { name: 'order_ready', language: 'en_US' } };
    expect((await call(key, 'POST', '/v1/campaigns', draft)).body).toMatchObject({ phone_number_id: own });
    expect((await call(key, 'POST', '/v1/campaigns', { ...draft, phone_number_id: other })).status).toBe(403);
    expect((await call(key, 'GET', `/v1/phone-numbers/${own}`)).status).toBe(200);
    expect((await call(key, 'GET', `/v1/phone-numbers/${other}`)).status).toBe(404);
  });

  test('of several says which, and may use each of them', async () => {
    const both = await keyOf(tenant, { phoneNumberIds: [own, other] });
    const unnamed = await call(both, 'POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });
    expect([unnamed.status, unnamed.body.details]).toEqual([
      400,
      [
        {
          path: 'body.phone_number_id',
          message: 'phone_number_id is required: this API key is limited to several sending numbers.',
        },
      ],
    ]);
    for (const number of [own, other]) {
      const named = { to: freshPhone(), body: 'Hi', phone_number_id: number };
      expect((await call(both, 'POST', '/v1/messages', named)).status).toBe(202);
    }
  });

  function isRefusal(status: number): boolean {
    return status === 404 || status === 400;
  }
});

test('every operation that is held to numbers exists', () => {
  const ids = new Set([...described.map(({ id }) => id), ...networkOperations.map(({ operationId }) => operationId)]);
  expect(Object.keys(numberRules).filter((id) => !ids.has(id))).toEqual([]);
});

describe('an allow list of addresses', () => {
  const REFUSED = '403 {"error":"This API key is not allowed from this address.","code":"address_not_allowed"}';
  const from = async (key: string, address: string): Promise<string> => {
    const { status, text } = await call(key, 'GET', '/v1/api-keys', undefined, { 'x-forwarded-for': address });
    return status === 200 ? '200' : `${status} ${text}`;
  };

  test('of a key lets it in from there alone, in any spelling and version', async () => {
    const key = await keyOf(await makeTestTenant(kit), {
      allowedIps: ['198.51.100.0/24', '2001:db8::/32', '192.0.2.7'],
    });
    for (const address of ['198.51.100.1', '::ffff:198.51.100.255', '2001:db8:ffff::1', '192.0.2.7'])
      expect([address, await from(key, address)]).toEqual([address, '200']);
    for (const address of ['198.51.101.1', '2001:db9::1', '192.0.2.8', '::1', 'unknown', ''])
      expect([address, await from(key, address)]).toEqual([address, REFUSED]);
  });

  test('of a tenant holds for all its keys, beside that of the key, and refuses in the same words', async () => {
    const tenant = await makeTestTenant(kit);
    const { tenantId } = tenant;
    await allowAddresses(kit.rt, kit.service.db, { tenantId, allowedIps: ['198.51.100.0/25'] });
    const key = await keyOf(tenant, { allowedIps: ['198.51.100.64/26', '203.0.113.0/24'] });
    expect(await from(key, '198.51.100.65')).toBe('200');
    expect([await from(key, '198.51.100.1'), await from(key, '203.0.113.1')]).toEqual([REFUSED, REFUSED]);
    expect([await from(tenant.key, '198.51.100.1'), await from(tenant.key, '203.0.113.1')]).toEqual(['200', REFUSED]);
    const stranger = await makeTestTenant(kit);
    expect(await from(stranger.key, '203.0.113.1')).toBe('200');
  });

  test('that is changed counts within two seconds, also for keys in use', async () => {
    const tenant = await makeTestTenant(kit);
    const { tenantId } = tenant;
    expect(await from(tenant.key, '203.0.113.1')).toBe('200');
    await allowAddresses(kit.rt, kit.service.db, { tenantId, allowedIps: ['198.51.100.1'] });
    await kit.until(
      () => from(tenant.key, '203.0.113.1'),
      (seen) => seen === REFUSED,
      'the address is refused',
    );
    await allowAddresses(kit.rt, kit.service.db, { tenantId, allowedIps: [] });
    await kit.until(
      () => from(tenant.key, '203.0.113.1'),
      (seen) => seen === '200',
      'the address is let in again',
    );
  });
});

describe('keys make limited keys', () => {
  const make = (tenant: TestTenant, fields: object, key = tenant.key) =>
    call(key, 'POST', '/v1/api-keys', { name: 'made', ...fields }, { 'x-forwarded-for': '198.51.100.1' });

  test('shows the limits, keeps them when the key is rotated, and tells of them in the audit log', async () => {
    const tenant = await makeTestTenant(kit);
    const limits = { allowed_ips: ['198.51.100.0/24'], phone_number_ids: [tenant.phoneNumberId] };
    const made = await make(tenant, limits);
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(limits)]);
    const rotated = await tenant.call('POST', `/v1/api-keys/${made.body.id}/rotate`, {});
    expect([rotated.status, rotated.body]).toEqual([201, expect.objectContaining(limits)]);
    const [entry] = (await tenant.call('GET', `/v1/audit-log?target_id=${made.body.id}&action=key.created`)).body.data;
    expect(entry.details).toMatchObject(limits);
    expect((await call(rotated.body.key, 'GET', '/v1/messages/outbound')).status).toBe(403);
  });

  test.each([
    [{ allowed_ips: ['shop.example'] }, 'allowed_ips[0] must be an address or a network, such as'],
    [{ allowed_ips: ['198.51.100.0/24', '10.0.0.0/33'] }, 'allowed_ips[1] must be an address or a network, such as'],
    [{ phone_number_ids: ['424242'] }, 'phone_number_ids[0] does not name a sending number of this tenant.'],
    [{ allowed_ips: [] }, 'allowed_ips must'],
  ])('refuses %j with its place', async (fields, sentence) => {
    const tenant = await makeTestTenant(kit);
    const answer = await make(tenant, fields);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test('but none that may be used from more addresses', async () => {
    const tenant = await makeTestTenant(kit);
    const key = await keyOf(tenant, { allowedIps: ['198.51.100.0/24', '2001:db8::/32'] });
    const statuses: number[] = [];
    for (const allowed of [
      ['198.51.100.128/25', '2001:db8:1::/48'],
      ['198.51.100.0/23'],
      ['198.51.100.1', '203.0.113.1'],
      ['0.0.0.0/0'],
    ])
      statuses.push((await make(tenant, { allowed_ips: allowed }, key)).status);
    expect(statuses).toEqual([201, 403, 403, 403]);
    expect((await make(tenant, {}, key)).body.allowed_ips).toEqual(['198.51.100.0/24', '2001:db8::/32']);
  });
});
