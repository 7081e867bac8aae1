import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const ATTRIBUTES = '/v1/contact-attributes';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const define = async (key: string, type = 'text') => (await tenant.call('POST', ATTRIBUTES, { key, type })).body;
const create = async (attributes: object) =>
  (await tenant.call('POST', '/v1/contacts', { phone: freshPhone(), attributes })).body;

test('a label is changed in the version that was read, and key and type are not', async () => {
  const { id } = await define('score', 'number');
  const path = `${ATTRIBUTES}/${id}`;
  const changed = await tenant.call('PATCH', path, { label: 'Points' }, { 'if-match': '"1"' });
  expect(changed).toMatchObject({
    status: 200,
    body: { id, key: 'score', type: 'number', label: 'Points', version: 2 },
  });
  expect(changed.headers.get('etag')).toBe('"2"');
  expect((await tenant.call('PATCH', path, { label: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
  expect((await tenant.call('PATCH', path, { type: 'text' })).status).toBe(400);
  expect((await tenant.call('GET', path)).body).toEqual(changed.body);
});

test('a deleted attribute is gone from every contact and from what conditions find, and its key is free', async () => {
  const { id } = await define('city');
  await define('size');
  const contact = await create({ city: 'Rome', size: 'M' });
  expect((await tenant.call('DELETE', `${ATTRIBUTES}/${id}`)).body).toEqual({ id, status: 'deleted' });
  const now = (await tenant.call('GET', `/v1/contacts/${contact.id}`)).body;
  expect([now.attributes, now.version]).toEqual([{ size: 'M' }, 2]);
  expect((await tenant.call('GET', `${ATTRIBUTES}/${id}`)).status).toBe(404);
  expect((await tenant.call('DELETE', `${ATTRIBUTES}/${id}`)).status).toBe(404);
  await define('city');
  const when = { field: 'contact.attributes.city', match: 'exists' };
  expect((await tenant.call('POST', '/v1/contacts/search', { when })).body.data).toEqual([]);
});

test('an attribute that a segment asks for is not deleted', async () => {
  const { id } = await define('city');
  const when = { any: [{ field: 'contact.attributes.city', value: 'Rome' }] };
  const segment = (await tenant.call('POST', '/v1/segments', { name: 'Romans', when })).body;
  const refused = await tenant.call('DELETE', `${ATTRIBUTES}/${id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(refused.body.error).toContain('Romans');
  await tenant.call('DELETE', `/v1/segments/${segment.id}`);
  expect((await tenant.call('DELETE', `${ATTRIBUTES}/${id}`)).status).toBe(200);
});

test('without a key 401, and another tenant’s attribute is none', async () => {
  const { id } = await define('city');
  const stranger = await makeTestTenant(kit);
  for (const [method, body] of [['GET'], ['PATCH', { label: 'x' }], ['DELETE']] as const) {
    expect((await callApi(kit.service.url, method, `${ATTRIBUTES}/${id}`, body)).status).toBe(401);
    expect((await stranger.call(method, `${ATTRIBUTES}/${id}`, body)).status).toBe(404);
  }
});
