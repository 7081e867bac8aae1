import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import type { Scope } from '#core/caller/scopes';
import { answering, idsFor, operationOf, perform, planOf } from '#http/security/testing/calls';
import { type Right, rights } from '#http/security/testing/rights';
import { make, makeFullTenant } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import { startTestService, type TestService } from '#testing/test-service';
import type { TestTenant } from '#testing/test-tenant';

/* The scopes of keys: every operation with exactly what the table says, and with each of it missing. */
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester,dispatcher,maintenance' } });
  tenant = await makeFullTenant(kit);
});
afterAll(() => kit.close());

const secured = described.filter(({ scope }) => scope !== null);

function rightOf({ id }: Described): Right {
  const right = rights[id];
  if (right === undefined) throw new Error(`${id} has no row in the table of rights.`);
  return right;
}

/** By their scopes: a tenant may have only so many keys. */
const keys = new Map<string, Promise<string>>();

/** A key as the operator makes it. None of these scopes may be all of them: that is what an empty list means. */
function keyOf(scopes: readonly Scope[]): Promise<string> {
  const name = scopes.toSorted().join(' ');
  const known = keys.get(name) ?? makeKey(scopes);
  keys.set(name, known);
  return known;
}

async function makeKey(scopes: readonly Scope[]): Promise<string> {
  const { tenantId } = tenant;
  const fields = { tenantId, name: 'narrow', mode: 'test', scopes, expiresMs: null } as const;
  return (await createApiKey(kit.rt, kit.service.db, fields)).key;
}

test('the table of rights has a row for every operation that needs a key, and no other', () => {
  expect(Object.keys(rights).toSorted()).toEqual(secured.map(({ id }) => id).toSorted());
});

/** Whose key must hold every scope: an empty list of scopes, and no list of all of them, is what the key to end has. */
const OF_FULL_KEYS = ['revokeApiKey', 'rotateApiKey'];

describe('a key with these scopes alone', () => {
  test.each(
    secured.filter(({ id }) => !OF_FULL_KEYS.includes(id)),
  )('may do $id, and not with one less', async (operation) => {
    const [scope, , also = []] = rightOf(operation);
    const needed = [scope, ...also];
    const withAll = { ids: await idsFor(kit, tenant, operation) };
    for (const missing of needed) {
      const others = needed.filter((one) => one !== missing);
      // Without any scope left it needs one: a key with none may do everything.
      const key = await keyOf(others.length === 0 ? [missing === 'audit:read' ? 'keys:read' : 'audit:read'] : others);
      const refused = await perform(kit, key, operation, withAll);
      expect([missing, refused.status, refused.body.error]).toEqual([
        missing,
        403,
        expect.stringContaining(`lacks the scope ${missing}`),
      ]);
    }
    const answer = await perform(kit, await keyOf(needed), operation, withAll);
    expect([answer.status, answer.text]).toEqual([planOf(operation.id).status, expect.any(String)]);
  });

  test.each(OF_FULL_KEYS)('may not do %s to a key with all scopes', async (id) => {
    const operation = operationOf(id);
    const answer = await perform(kit, await keyOf(['keys:write']), operation, {
      ids: await idsFor(kit, tenant, operation),
    });
    expect([answer.status, answer.body.error]).toEqual([403, 'This API key lacks some scopes.']);
  });
});

describe('what is set up takes the scopes of what it does', () => {
  const contactEvents = { url: 'https://shop.example/hook', types: ['contact.created', 'conversation.opened'] };

  test.each<[string, string, object, readonly Scope[]]>([
    [
      'an endpoint of contacts and conversations',
      'createWebhookEndpoint',
      contactEvents,
      ['contacts:read', 'conversations:read'],
    ],
    ['a rule that sets an attribute', 'createChatbotRule', { action: 'opt_out' }, ['contacts:write']],
    ['a rule that tags', 'createChatbotRule', { action: 'tag', add: ['VIP'] }, ['conversations:write']],
    [
      'a campaign for an audience',
      'createCampaign',
      { audience: { when: { field: 'contact.tags', match: 'has', value: 'VIP' } } },
      ['contacts:read'],
    ],
  ])('%s', async (_label, id, fields, needed) => {
    const operation = operationOf(id);
    const json =
      id === 'createChatbotRule'
        ? // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
          { ...answering, then: [fields] }
        : { ...planOf(id).json, ...fields };
    const common: readonly Scope[] = [
      'webhooks:write',
      'events:read',
      'rules:write',
      'campaigns:write',
      'messages:write',
    ];
    for (const missing of needed) {
      const key = await keyOf([...common, ...needed.filter((scope) => scope !== missing)]);
      const refused = await perform(kit, key, operation, { json: json as never });
      expect([missing, refused.status, refused.body.code]).toEqual([missing, 403, 'forbidden']);
    }
    expect((await perform(kit, await keyOf([...common, ...needed]), operation, { json: json as never })).status).toBe(
      201,
    );
  });

  test('an endpoint of all types takes the scopes of them all', async () => {
    const json = { url: 'https://shop.example/hook' };
    const key = await keyOf(['webhooks:write', 'events:read', 'messages:read', 'contacts:read', 'conversations:read']);
    expect((await perform(kit, key, operationOf('createWebhookEndpoint'), { json })).status).toBe(403);
  });

  test('a narrow key switches off what it could not set up, and neither on again nor elsewhere', async () => {
    const endpoint = await make(kit, tenant, 'endpoint');
    const rule = (await tenant.call('POST', '/v1/chatbot-rules', answering)).body.id;
    const key = await keyOf(['webhooks:write', 'rules:write']);
    const change = async (id: string, of: string, json: object) =>
      (await perform(kit, key, operationOf(id), { ids: { id: of }, json: json as never })).status;
    expect(await change('updateWebhookEndpoint', endpoint, { url: 'https://thief.example/hook' })).toBe(403);
    expect(await change('updateChatbotRule', rule, { when: null })).toBe(403);
    expect(await change('updateWebhookEndpoint', endpoint, { enabled: false })).toBe(200);
    expect(await change('updateChatbotRule', rule, { enabled: false })).toBe(200);
    expect(await change('updateWebhookEndpoint', endpoint, { enabled: true })).toBe(403);
    expect(await change('updateChatbotRule', rule, { enabled: true })).toBe(403);
  });
});
