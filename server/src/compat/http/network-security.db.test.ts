import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import { suspendTenant } from '#access/actions/suspend-tenant';
import { networkOperations } from '#bin/operations';
import { type Scope, scopeNames } from '#core/caller/scopes';
import { make, missingLike, rowsOf } from '#http/security/testing/world';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { imageForm, postNetworkForm, received } from './testing/network-client.ts';

/* Every operation of the network's API: who may call it, and that another tenant's things do not exist for it. */
let kit: TestService;
let owner: TestTenant;
let stranger: TestTenant;

const accounts = new Map<string, string>();

/** A tenant whose number is in an account of the network. */
async function makeTenant(): Promise<TestTenant> {
  const networkAccountId = `3${freshPhone()}`;
  const tenant = await makeTestTenant(kit, { networkAccountId });
  accounts.set(tenant.tenantId, networkAccountId);
  return tenant;
}

beforeAll(async () => {
  kit = await startTestService();
  owner = await makeTenant();
  stranger = await makeTenant();
});
afterAll(() => kit.close());

/** Decided by people: the scope that a key needs for each of them. */
const rights: Readonly<Record<string, Scope>> = {
  networkSendMessage: 'messages:write',
  networkSendMarketingMessage: 'messages:write',
  networkUploadMedia: 'media:write',
  networkGetObject: 'media:read',
  networkDeleteMedia: 'media:write',
  networkListNumbers: 'numbers:read',
  networkListTemplates: 'templates:read',
  networkGetTemplate: 'templates:read',
  networkCreateTemplate: 'templates:write',
  networkDeleteTemplate: 'templates:write',
};

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** A form instead of JSON. */
  readonly form?: FormData;
}

/** How each is called so that it succeeds, and with what of another tenant it must not. */
const calls: Readonly<Record<string, (tenant: TestTenant) => Call | Promise<Call>>> = {
  networkSendMessage: sendCall,
  networkSendMarketingMessage: marketingCall,
  networkUploadMedia: ({ phoneNumberId }) => ({ method: 'POST', path: `/${phoneNumberId}/media`, form: imageForm() }),
  networkGetObject: async (tenant) => ({ method: 'GET', path: `/${await make(kit, tenant, 'image')}` }),
  networkDeleteMedia: async (tenant) => ({ method: 'DELETE', path: `/${await make(kit, tenant, 'image')}` }),
  networkListNumbers: (tenant) => ({ method: 'GET', path: `/${accountOf(tenant)}/phone_numbers` }),
  networkListTemplates: (tenant) => ({ method: 'GET', path: `/${accountOf(tenant)}/message_templates` }),
  networkGetTemplate: async (tenant) => {
    const { body } = await ask(tenant.key, createTemplateCall(accountOf(tenant), `t_${freshPhone()}`));
    return { method: 'GET', path: `/${accountOf(tenant)}/message_templates/${body.id}` };
  },
  networkCreateTemplate: (tenant) => createTemplateCall(accountOf(tenant), `t_${freshPhone()}`),
  networkDeleteTemplate: async (tenant) => {
    const name = `t_${freshPhone()}`;
    expect((await ask(tenant.key, createTemplateCall(accountOf(tenant), name))).status).toBe(200);
    return { method: 'DELETE', path: `/${accountOf(tenant)}/message_templates?name=${name}` };
  },
};

function sendCall({ phoneNumberId }: TestTenant): Call {
  const body = { messaging_product: 'whatsapp', to: freshPhone(), text: { body: 'Hi' } };
  return { method: 'POST', path: `/${phoneNumberId}/messages`, body };
}

function marketingCall({ phoneNumberId }: TestTenant): Call {
  const template = { name: 'spring', language: { code: 'en' } };
  const body = { messaging_product: 'whatsapp', to: freshPhone(), type: 'template', template };
  return { method: 'POST', path: `/${phoneNumberId}/marketing_messages`, body };
}

function createTemplateCall(account: string, name: string): Call {
  const components = [{ type: 'BODY', text: 'We have moved.' }];
  const body = { name, language: 'en', category: 'UTILITY', components };
  return { method: 'POST', path: `/${account}/message_templates`, body };
}

function accountOf(tenant: TestTenant): string {
  return accounts.get(tenant.tenantId) ?? '';
}

const ids = [...new Set(networkOperations.map(({ operationId }) => operationId))];
const REQUEST_ID = { 'x-request-id': 'the-same' };

function ask(key: string | null, { method, path, body, form }: Call, headers: Record<string, string> = {}) {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const all = { ...authorization, ...REQUEST_ID, ...headers };
  if (form) return postNetworkForm(`${kit.service.url}/v23.0${path}`, form, all);
  return callApi(kit.service.url, method, `/v23.0${path}`, body, all);
}

async function callOf(id: string, tenant: TestTenant): Promise<Call> {
  const call = calls[id];
  if (call === undefined) throw new Error(`${id} has no row in the table of calls.`);
  return call(tenant);
}

/** How many messages, files and templates there are: what happens to them afterwards goes on by itself. */
async function storedBy(tenant: TestTenant): Promise<readonly number[]> {
  const rows = await rowsOf(kit, tenant);
  return ['outbound_messages', 'media', 'templates'].map((table) => (rows[table] ?? '').split('\n').length);
}

async function keyWith(scopes: readonly Scope[]): Promise<string> {
  const made = { tenantId: owner.tenantId, name: 'x', mode: 'test', scopes, expiresMs: null } as const;
  return (await createApiKey(kit.rt, kit.service.db, made)).key;
}

test('the tables of these tests name every operation, and no other', () => {
  expect([Object.keys(rights).toSorted(), Object.keys(calls).toSorted()]).toEqual([ids.toSorted(), ids.toSorted()]);
});

describe.each(ids)('%s', (id) => {
  test('answers its owner', async () => {
    expect((await ask(owner.key, await callOf(id, owner))).status).toBe(200);
  });

  test('knows nobody without a key that works, and nobody by a cookie or a parameter', async () => {
    const call = await callOf(id, owner);
    const stored = await storedBy(owner);
    const inQuery = { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}access_token=${owner.key}` };
    const answers = [
      await ask(null, call),
      await ask('garbage', call),
      await ask(`${owner.key}x`, call),
      await ask(null, inQuery),
      await ask(null, call, { cookie: `postrider=${owner.key}` }),
      await ask(null, call, { 'd360-api-key': 'garbage' }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.error]).toEqual([
        401,
        expect.objectContaining({ code: 190, type: 'OAuthException' }),
      ]);
      expect(answer.body.error.fbtrace_id).toBe('the-same');
    }
    expect(await storedBy(owner)).toEqual(stored);
  });

  test('needs exactly its scope', async () => {
    const scope = rights[id] as Scope;
    const all = await ask(await keyWith([scope]), await callOf(id, owner));
    expect(all.status).toBe(200);
    const others = await keyWith(scopeNames.filter((name) => name !== scope));
    const refused = await ask(others, await callOf(id, owner));
    expect([refused.status, refused.body.error.code]).toEqual([403, 10]);
  });

  test('refuses every key of a suspended tenant, and stores nothing', async () => {
    const suspended = await makeTenant();
    // A key that was used a moment ago is remembered for as long as its suspension takes to be heard of.
    const call = await callOf(id, owner);
    await suspendTenant(kit.rt, kit.service.db, { tenantId: suspended.tenantId, reason: 'Unpaid' });
    const stored = await storedBy(suspended);
    const answer = await ask(suspended.key, call);
    expect([answer.status, answer.body.error.code]).toEqual([403, 131031]);
    expect(await storedBy(suspended)).toEqual(stored);
  });

  test("answers the same bytes for another tenant's object as for none, and changes nothing", async () => {
    const call = await callOf(id, owner);
    const stored = await storedBy(owner);
    const foreign = await ask(stranger.key, call);
    const nobodys = call.path.replace(/^\/[^/?]+/, (own) => `/${missingLike(kit, own.slice(1))}`);
    const missing = await ask(stranger.key, { ...call, path: nobodys });
    expect([foreign.status, foreign.text]).toEqual([400, missing.text]);
    expect(foreign.body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect(await storedBy(owner)).toEqual(stored);
  });
});

test('a key that is limited to numbers is told of no other one, and cannot send from it', async () => {
  const limited = await owner.call('POST', '/v1/api-keys', { name: 'one', phone_number_ids: [owner.phoneNumberId] });
  expect((await ask(limited.body.key, sendCall(owner))).status).toBe(200);
  const elsewhere = await ask(limited.body.key, sendCall(stranger));
  expect(elsewhere.body.error).toMatchObject({ code: 100, error_subcode: 33 });
});

test("another tenant's messages can be neither quoted nor read, by any of their ids", async () => {
  const { networkId } = await received(kit, owner, freshPhone());
  const own = await ask(owner.key, sendCall(owner));
  const call = sendCall(stranger);
  for (const message_id of [networkId, own.body.messages[0].id]) {
    for (const body of [
      { ...call.body, context: { message_id } },
      { messaging_product: 'whatsapp', status: 'read', message_id },
    ]) {
      const answer = await ask(stranger.key, { ...call, body });
      expect([answer.status, answer.body.error.code]).toEqual([400, 131009]);
    }
    expect((await stranger.call('GET', `/v1/messages/${message_id}`)).status).toBe(404);
    expect((await owner.call('GET', `/v1/messages/${message_id}`)).status).toBe(200);
  }
});
