import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uploadFile } from '#testing/media/test-media';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const EXPORT = '/v1/contacts/export';
const take = async (query = '', headers = {}) =>
  (await tenant.call('GET', `${EXPORT}${query}`, undefined, headers)).text;
const lines = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

async function bringIn(into: TestTenant, text: string, format: 'csv' | 'ndjson') {
  const file = await uploadFile(kit, into.key, Buffer.from(text), { filename: 'people.txt', type: 'text/plain' });
  const { body } = await into.call('POST', '/v1/imports', { media_id: file.body.media_id, format });
  const read = async () => (await into.call('GET', `/v1/imports/${body.id}`)).body;
  return kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
}

async function define(of: TestTenant) {
  for (const type of ['text', 'number', 'boolean', 'date', 'list']) {
    await of.call('POST', '/v1/contact-attributes', { key: type, type });
  }
}

/** Contacts whose texts a table could spoil. */
async function people(of: TestTenant) {
  await define(of);
  const odd = [
    { name: '=HYPERLINK("http://x")', tags: ['a;b', 'c'], attributes: { text: '@x', list: ['-1', 'two'] } },
    { name: "'=1+1", tags: ['[x'], attributes: { number: -3.5, boolean: false, date: '2030-02-28' } },
    { name: 'Ada, "the first"\nof two', external_id: '+crm', language: 'pt-BR', tags: ['VIP', 'tea'] },
    { name: null, attributes: { list: ['["a"]', ' spaced '] } },
  ];
  const made = [];
  for (const fields of odd) made.push((await of.call('POST', '/v1/contacts', { phone: freshPhone(), ...fields })).body);
  await of.call('POST', `/v1/contacts/${made[0].id}/consent`, { marketing: 'denied', source: 'desk' });
  await of.call('POST', `/v1/contacts/${made[1].id}/consent`, { marketing: 'granted', source: 'desk' });
  await of.call('POST', `/v1/contacts/${made[2].id}/block`);
}

/** What an import can bring, by phone. */
async function kept(of: TestTenant) {
  const { data } = (await of.call('GET', '/v1/contacts?limit=1000')).body;
  const facts = data.map(({ phone, name, external_id, language, status, attributes, tags, consent }: never) => {
    return {
      phone,
      name,
      external_id,
      language,
      status,
      attributes,
      tags,
      marketing: (consent as { marketing: string }).marketing,
    };
  });
  return facts.toSorted((a: { phone: string }, b: { phone: string }) => (a.phone < b.phone ? -1 : 1));
}

test.each([
  'csv',
  'ndjson',
] as const)('what is taken out as %s comes in elsewhere as the same contacts', async (format) => {
  await people(tenant);
  const other = await makeTestTenant(kit);
  await define(other);
  const text = await take(`?format=${format}`);
  expect(await bringIn(other, text, format)).toMatchObject({ total: 4, created: 4 });
  expect(await kept(other)).toEqual(await kept(tenant));
  expect(await bringIn(other, text, format)).toMatchObject({ total: 4, unchanged: 4 });
});

test('a table comes to whoever accepts one, and no cell of it is a formula', async () => {
  await people(tenant);
  const answer = await tenant.call('GET', EXPORT, undefined, { accept: 'text/csv' });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
  expect(answer.text).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(answer.text.split(/[,;\r\n]/).filter((cell) => /^"?[=+@]/.test(cell))).toEqual([]);
  const plain = await tenant.call('GET', EXPORT);
  expect(plain.headers.get('content-type')).toBe('application/x-ndjson');
});

test('a file takes back neither a refusal nor a block', async () => {
  const { id, phone } = (await tenant.call('POST', '/v1/contacts', { phone: freshPhone() })).body;
  await tenant.call('POST', `/v1/contacts/${id}/consent`, { marketing: 'denied', source: 'desk' });
  await tenant.call('POST', `/v1/contacts/${id}/block`);
  await bringIn(tenant, `phone,status,marketing\n${phone},active,granted\n`, 'csv');
  const { status, consent } = (await tenant.call('GET', `/v1/contacts/${id}`)).body;
  expect([status, consent.marketing]).toEqual(['blocked', 'denied']);
});

test('more than a portion comes whole and once, newest first, narrowed down as a list is', async () => {
  const rows = Array.from(
    { length: 1_203 },
    (_, n) => `44770${String(900_000 + n)},Person ${n},${n % 3 ? 'tea' : 'VIP'}`,
  );
  await bringIn(tenant, ['phone,name,tags', ...rows].join('\n'), 'csv');
  const all = lines(await take()).map(({ id }) => id);
  expect(all).toHaveLength(1_203);
  expect(all).toEqual(all.toSorted().toReversed());
  expect(new Set(all).size).toBe(1_203);
  expect(lines(await take('?tag=vip'))).toHaveLength(401);
  expect(lines(await take('?q=person%201202'))).toMatchObject([{ name: 'Person 1202' }]);
  const when = { field: 'contact.tags', value: 'VIP' };
  const segment = (await tenant.call('POST', '/v1/segments', { name: 'VIP', when })).body.id;
  expect(lines(await take(`?segment_id=${segment}`))).toHaveLength(401);
  expect(lines(await take(`?segment_id=${kit.rt.newId()}`))).toEqual([]);
});

test('without a key 401, with a wrong filter 400, and nothing of another tenant', async () => {
  expect((await callApi(kit.service.url, 'GET', EXPORT)).status).toBe(401);
  expect((await tenant.call('GET', `${EXPORT}?format=xlsx`)).status).toBe(400);
  expect((await tenant.call('GET', `${EXPORT}?phone=1`)).status).toBe(400);
  const stranger = await makeTestTenant(kit);
  await stranger.call('POST', '/v1/contacts', { phone: freshPhone() });
  expect(await take()).toBe('');
});
