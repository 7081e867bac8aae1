import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { audited, unaudited } from '#http/security/testing/audited';
import { idsFor, perform, planOf } from '#http/security/testing/calls';
import { bodyReferences } from '#http/security/testing/references';
import { make, makeFullTenant } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import type { TestTenant } from '#testing/test-tenant';

/* Every operation that writes leaves an entry in the audit log, or has a reason not to. */
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester,dispatcher,maintenance' } });
  tenant = await makeFullTenant(kit);
});
afterAll(() => kit.close());

const writing = described.filter(({ method, scope }) => method !== 'GET' && scope !== null);

/** A body that succeeds where the planned one names what nobody owns. */
async function bodyOf({ id }: Described): Promise<JsonObject> {
  if (id === 'orderChatbotRules') {
    const { data } = (await tenant.call('GET', '/v1/chatbot-rules')).body;
    return { order: data.map((rule: { readonly id: string }) => rule.id).toReversed() };
  }
  const [reference] = planOf(id).status < 400 ? [] : Object.values(bodyReferences[id] ?? {});
  return reference === undefined ? {} : reference.body(await make(kit, tenant, reference.names));
}

async function entriesOf(requestId: string): Promise<readonly Answer['body'][]> {
  const { body } = await tenant.call('GET', '/v1/audit-log?limit=20');
  return body.data.filter((entry: { readonly request_id: string }) => entry.request_id === requestId);
}

test('every operation that writes is audited or has a reason not to be', () => {
  const known = [...Object.keys(audited), ...Object.keys(unaudited)];
  expect(known.toSorted()).toEqual([...new Set(known)].toSorted());
  const written = Object.keys(audited).filter((id) => !id.startsWith('export'));
  expect([...written, ...Object.keys(unaudited)].toSorted()).toEqual(writing.map(({ id }) => id).toSorted());
});

describe('the audit log names the key and the request of', () => {
  const rows = described.filter(({ id }) => Object.hasOwn(audited, id));

  test.each(rows)('$id', async (operation) => {
    const action = audited[operation.id];
    const ids = await idsFor(kit, tenant, operation);
    const json = await bodyOf(operation);
    const headers = { 'x-request-id': `coverage-${operation.id}` };
    const options = { ids, headers, ...(Object.keys(json).length === 0 ? {} : { json }) };
    const answer = await perform(kit, tenant.key, operation, options);
    expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)]);
    const entries = await entriesOf(headers['x-request-id']);
    expect(entries.map((entry) => entry.action)).toContain(action);
    expect(entries[0].actor).toMatchObject({ kind: 'key', key_id: expect.any(String) });
  });
});
