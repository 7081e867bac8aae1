import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import { type AgentRole, agentRoles, may, type Permission } from '#core/caller/permissions';
import { pathOf } from '#http/security/testing/calls';
import { rights } from '#http/security/testing/rights';
import { missingLike } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import { addAgent } from '#testing/test-agents';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * Every operation of the document, asked for each role. A parameter that no operation knows shows who is let in: it is
 * refused after that, and before anything is done.
 */
let kit: TestService;
let tenant: TestTenant;
let foreignAgent: string;
const agents = new Map<AgentRole, string>();
const boundKeys = new Map<AgentRole, string>();

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  for (const role of agentRoles) {
    const { agentId } = await addAgent(kit.rt, kit.service.db, tenant.tenantId, { role });
    const wish = { tenantId: tenant.tenantId, name: role, mode: 'live', scopes: [], expiresMs: null, agentId } as const;
    agents.set(role, agentId);
    boundKeys.set(role, (await createApiKey(kit.rt, kit.service.db, wish)).key);
  }
  const other = await makeTestTenant(kit);
  foreignAgent = (await addAgent(kit.rt, kit.service.db, other.tenantId)).agentId;
});
afterAll(() => kit.close());

const secured = described.filter(({ scope }) => scope !== null);

/** What an agent needs, as the table of rights has it: what the routes say of themselves proves nothing. */
function permissionOf({ id }: Described): Permission {
  const right = rights[id];
  if (right === undefined) throw new Error(`${id} has no row in the table of rights.`);
  return right[1];
}

function ask(operation: Described, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const all = { authorization: `Bearer ${key}`, 'x-request-id': 'the-same', ...headers };
  // Every path could name something: what is refused for itself is the query.
  const isNumeric = /^\/v1\/(?:phone-numbers|flows)\/\{id\}/.test(operation.path);
  const ids = isNumeric ? { id: '1' } : {};
  return callApi(kit.service.url, operation.method, pathOf(operation, ids, '?colour=red'), undefined, all);
}

function bytesOf({ status, text, headers }: Answer, id: string): readonly unknown[] {
  const kept = [...headers].filter(([name]) => name !== 'date');
  return [status, JSON.stringify(kept), text.replaceAll(id, '{id}')];
}

describe('an operation', () => {
  test.each(secured)('lets in the agents whose role allows it, and no other: $id', async (operation) => {
    const permission = permissionOf(operation);
    for (const role of agentRoles) {
      const named = await ask(operation, tenant.key, { 'x-agent-id': agents.get(role) ?? '' });
      const bound = await ask(operation, boundKeys.get(role) ?? '');
      const refused = { error: `The role ${role} lacks the permission ${permission}.`, code: 'forbidden' };
      for (const answer of [named, bound]) {
        if (may({ role }, permission))
          expect([role, answer.status, answer.text]).toEqual([role, 400, expect.any(String)]);
        else expect([role, answer.status, answer.body]).toEqual([role, 403, refused]);
      }
    }
  });

  test.each(secured)('refuses an agent of another tenant as one that nobody has: $id', async (operation) => {
    const missingAgent = missingLike(kit, foreignAgent);
    const foreign = await ask(operation, tenant.key, { 'x-agent-id': foreignAgent });
    const missing = await ask(operation, tenant.key, { 'x-agent-id': missingAgent });
    expect(bytesOf(foreign, foreignAgent)).toEqual(bytesOf(missing, missingAgent));
    expect([foreign.status, foreign.body.details]).toEqual([
      400,
      [{ path: 'header.x-agent-id', message: 'X-Agent-Id does not name an agent of this tenant.' }],
    ]);
  });
});

/** Resources whose writing operations need different permissions, each for a reason. */
const DIFFERENT = new Map([
  ['messages', 'A batch is a campaign by other means.'],
  ['contacts', 'Erasing is for good.'],
  ['agents', 'Everyone shows their own presence.'],
]);

test('whoever may write one thing of a resource may write all of it', () => {
  const byResource = new Map<string, Set<Permission>>();
  for (const operation of secured.filter(({ scope }) => scope?.endsWith(':write'))) {
    const resource = operation.path.split('/')[2] ?? '';
    byResource.set(resource, (byResource.get(resource) ?? new Set()).add(permissionOf(operation)));
  }
  const mixed = [...byResource].filter(([, needed]) => needed.size > 1).map(([resource]) => resource);
  expect(mixed.toSorted()).toEqual([...DIFFERENT.keys()].toSorted());
});

describe('a key that is bound to an agent', () => {
  test('acts for that one alone, and for nobody once the agent is gone', async () => {
    const { agentId } = await addAgent(kit.rt, kit.service.db, tenant.tenantId);
    const wish = { tenantId: tenant.tenantId, name: 'x', mode: 'live', scopes: [], expiresMs: null, agentId } as const;
    const { key } = await createApiKey(kit.rt, kit.service.db, wish);
    const read = (headers: object) =>
      callApi(kit.service.url, 'GET', '/v1/conversations?assignee=me', undefined, {
        authorization: `Bearer ${key}`,
        ...headers,
      });
    expect((await read({})).status).toBe(200);
    expect((await read({ 'x-agent-id': agentId.toUpperCase() })).status).toBe(200);
    const other = await read({ 'x-agent-id': agents.get('owner') ?? '' });
    expect([other.status, other.body.code]).toEqual([403, 'forbidden']);
    const gone = { name: 'test_agent_gone', text: 'delete from agents where tenant_id = $1 and agent_id = $2' };
    await kit.service.db.run(gone, [tenant.tenantId, agentId]);
    expect((await read({})).body.error).toBe('The agent that this API key acts for was deleted.');
  });

  test('needs a header that is a UUID', async () => {
    const answer = await tenant.call('GET', '/v1/agents', undefined, { 'x-agent-id': 'ana' });
    expect([answer.status, answer.body.details]).toEqual([
      400,
      [{ path: 'header.x-agent-id', message: 'X-Agent-Id must be the UUID of an agent.' }],
    ]);
  });
});
