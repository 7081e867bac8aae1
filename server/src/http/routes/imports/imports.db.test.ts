import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadFile } from '#testing/test-media';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

async function bringIn(text: string | Buffer, fields: object = {}) {
  const file = await uploadFile(kit, tenant.key, Buffer.from(text), { filename: 'people.csv', type: 'text/csv' });
  const begun = await tenant.call('POST', '/v1/imports', { media_id: file.body.media_id, ...fields });
  expect(begun).toMatchObject({ status: 202, body: { status: 'queued', total: 0 } });
  const read = async () => (await tenant.call('GET', `/v1/imports/${begun.body.id}`)).body;
  const ended = await kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
  const { created, updated, unchanged, skipped, failed, invalid, duplicate_in_file: twice } = ended;
  expect(created + updated + unchanged + skipped + failed + invalid + twice).toBe(ended.total);
  const errors = (await tenant.call('GET', `/v1/imports/${begun.body.id}/errors`)).text
    .trimEnd()
    .split('\r\n')
    .slice(1);
  return { ...ended, errors };
}
const contacts = async () => (await tenant.call('GET', '/v1/contacts?limit=1000')).body.data;

describe('a table', () => {
  const table =
    '\uFEFFphone;name;tags;attributes.score\r\n+44 7700 900001;"Ada; the first";VIP|tea;3.5\r\n44770;Short;;\r\n447700900002;=1+1;;x\r\n447700900003;Bea;;\r\n+44 7700 900001;Again;;\r\n';

  test('with semicolons, quotes, a mark of UTF-8 and faults comes in with counts that add up and a reason per row', async () => {
    await tenant.call('POST', '/v1/contact-attributes', { key: 'score', type: 'number' });
    expect(await bringIn(table)).toMatchObject({
      status: 'completed',
      total: 5,
      created: 2,
      invalid: 2,
      duplicate_in_file: 1,
      errors: [
        expect.stringContaining('2,invalid,"phone has 5 digits'),
        '3,invalid,attributes.score must be a number.',
        '5,duplicate_in_file,An earlier row has this phone.',
      ],
    });
    const [bea, ada] = await contacts();
    expect([bea.name, ada.name, ada.tags, ada.attributes]).toEqual([
      'Bea',
      'Ada; the first',
      ['VIP', 'tea'],
      { score: 3.5 },
    ]);
    expect(await bringIn(table)).toMatchObject({ created: 0, unchanged: 2, updated: 0 });
  });

  test('tried first changes nothing and counts the same', async () => {
    await tenant.call('POST', '/v1/contact-attributes', { key: 'score', type: 'number' });
    const tried = await bringIn(table, { dry_run: true });
    expect([tried.created, await contacts()]).toEqual([2, []]);
  });

  test('brings in 1,200 rows in portions, with columns of its own', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => `${index},44770090${1000 + index},Person ${index}`);
    const mapping = { Mobile: 'phone', 'Full name': 'name' };
    const ended = await bringIn(`id,Mobile,Full name\n${rows.join('\n')}`, { mapping });
    expect(ended).toMatchObject({ total: 1200, created: 1200, errors: [] });
    const found = await tenant.call('GET', '/v1/contacts?q=person%20777');
    expect(found.body.data).toMatchObject([{ name: 'Person 777', phone: '447700901777' }]);
  });

  test('with a quote that is never closed fails with its reason', async () => {
    expect(await bringIn('phone,name\n447700900001,"Ada\n')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('cannot be read to its end'),
    });
  });
});

test('lines of JSON, modes and other contacts: each row ends as its mode says', async () => {
  const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const ndjson = { format: 'ndjson' };
  const first = lines(
    { phone: '447700900001', name: 'Ada', external_id: 'a' },
    { phone: '447700900002', external_id: 'b' },
  );
  expect(await bringIn(`${first}\n{"phone"\n[]\n`, ndjson)).toMatchObject({ created: 2, invalid: 2 });
  const both = lines({ phone: '447700900001', name: 'Ada Obi' }, { phone: '447700900003' });
  expect(await bringIn(both, { ...ndjson, mode: 'create' })).toMatchObject({ created: 1, skipped: 1 });
  expect(await bringIn(both, { ...ndjson, mode: 'update' })).toMatchObject({ updated: 1, unchanged: 1 });
  const moved = lines({ external_id: 'a', name: 'By id' }, { phone: '447700900002', external_id: 'a' });
  expect(await bringIn(moved, { ...ndjson, match_on: 'external_id' })).toMatchObject({
    updated: 1,
    duplicate_in_file: 1,
  });
  expect(await bringIn(lines({ phone: '447700900002', external_id: 'a' }), ndjson)).toMatchObject({ failed: 1 });
  const latin = Buffer.concat([Buffer.from('phone,name\n447700900009,Jos'), Buffer.from([0xe9]), Buffer.from('\n')]);
  expect(await bringIn(latin)).toMatchObject({ invalid: 1, errors: ['1,invalid,The row is not UTF-8.'] });
});
