import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

test('a segment is counted when it is read, follows its condition, and narrows the list of contacts', async () => {
  for (const tags of [['VIP'], ['vip', 'tea'], []])
    await tenant.call('POST', '/v1/contacts', { phone: freshPhone(), tags });
  const when = { field: 'contact.tags', value: 'VIP' };
  const made = await tenant.call('POST', '/v1/segments', { name: 'VIPs', when });
  expect(made).toMatchObject({ status: 201, body: { count: null, version: 1, when } });
  const path = `/v1/segments/${made.body.id}`;
  expect((await tenant.call('GET', path)).body.count).toBe(2);
  expect((await tenant.call('GET', `/v1/contacts?segment_id=${made.body.id}`)).body.data).toHaveLength(2);
  const changed = await tenant.call('PATCH', path, { when: { not: when } }, { 'if-match': '"1"' });
  expect(changed.body).toMatchObject({ count: null, version: 2 });
  expect((await tenant.call('GET', path)).body.count).toBe(1);
  expect((await tenant.call('PATCH', path, { name: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
  const refused = await tenant.call('PATCH', path, { when: { all: [{ field: 'x' }, { any: [] }] } });
  expect(refused.body.details.map((fault: { path: string }) => fault.path)).toEqual([
    'body.when.all[0].field',
    'body.when.all[1].any',
  ]);
  expect((await tenant.call('DELETE', path)).status).toBe(200);
  expect((await tenant.call('GET', path)).status).toBe(404);
});

test('a shortcut belongs to one canned reply', async () => {
  const create = (shortcut: string) => tenant.call('POST', '/v1/canned-replies', { shortcut, text: 'Hello' });
  const [first, second] = [await create('hi'), await create('ho')];
  expect((await create('hi')).status).toBe(409);
  const path = `/v1/canned-replies/${second.body.id}`;
  expect((await tenant.call('PATCH', path, { shortcut: 'hi' })).body.code).toBe('conflict');
  expect((await tenant.call('DELETE', `/v1/canned-replies/${first.body.id}`)).status).toBe(200);
  expect((await tenant.call('PATCH', path, { shortcut: 'hi' })).body).toMatchObject({ shortcut: 'hi', version: 2 });
});
