import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_UPLOAD_BYTES } from '#media/domain/media';
import { uploadFile } from '#testing/media/test-media';
import { makeCampaign } from '#testing/test-campaign';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
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
  return untilEnded(await tenant.call('POST', '/v1/imports', { media_id: file.body.media_id, ...fields }));
}

async function untilEnded(begun: Answer) {
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

describe('a table that is the body of the request itself', () => {
  const post = (type: string, text: string, { query = '', headers = {} } = {}) =>
    tenant.call('POST', `/v1/imports${query}`, Buffer.from(text), { 'content-type': type, ...headers });
  const kept = async () => (await tenant.call('GET', '/v1/media')).body.data;

  test('comes in like one that was uploaded, and is its media', async () => {
    const begun = await post('text/csv; charset=utf-8', 'phone;name\n447700900001;Ada\n447700900002;Bea\n');
    expect(await untilEnded(begun)).toMatchObject({ status: 'completed', format: 'csv', total: 2, created: 2 });
    expect(await kept()).toMatchObject([{ media_id: begun.body.media_id, mime_type: 'text/csv' }]);
    const lines = await post(
      'application/x-ndjson',
      '{"phone":"447700900001","name":"Ada Obi"}\n{"phone":"447700900003"}\n',
    );
    expect(await untilEnded(lines)).toMatchObject({ format: 'ndjson', updated: 1, created: 1 });
  });

  test('is brought in as the address says, which a field of a JSON body goes before', async () => {
    const tried = await post('text/csv', 'phone\n447700900001\n', { query: '?dry_run=true&mode=create' });
    expect(await untilEnded(tried)).toMatchObject({ dry_run: true, mode: 'create', created: 1 });
    expect(await contacts()).toEqual([]);
    const { media_id } = tried.body;
    const named = await tenant.call('POST', '/v1/imports?mode=create&dry_run=true', { media_id, mode: 'update' });
    expect(await untilEnded(named)).toMatchObject({ dry_run: true, mode: 'update', skipped: 1 });
  });

  test('is taken in once per Idempotency-Key, and another table with the key is refused', async () => {
    const once = { headers: { 'idempotency-key': 'people-of-monday' } };
    const [first, again] = [
      await post('text/csv', 'phone\n447700900001\n', once),
      await post('text/csv', 'phone\n447700900001\n', once),
    ];
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([202, 'true', first.body]);
    expect((await post('text/csv', 'phone\n447700900002\n', once)).status).toBe(422);
    expect(await kept()).toHaveLength(1);
  });

  test('is refused empty, too large, compressed or without a type, and nothing of it is kept', async () => {
    expect(await post('text/csv', '')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await post('text/csv', 'x'.repeat(MAX_UPLOAD_BYTES + 1))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    expect((await post('text/csv', 'phone\n', { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect((await post('text/csv', 'phone\n', { query: '?colour=red' })).status).toBe(400);
    expect(await tenant.call('POST', '/v1/imports')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    const nobodys = '/v1/campaigns/0190a6f2-0000-7000-8000-00000000dead/imports';
    expect((await tenant.call('POST', nobodys, Buffer.from('to\n1\n'), { 'content-type': 'text/csv' })).status).toBe(
      404,
    );
    expect(await kept()).toEqual([]);
  });

  test('brings recipients into a campaign, and is not found as an import of contacts', async () => {
    const id = await makeCampaign(kit, tenant);
    const begun = await tenant.call(
      'POST',
      `/v1/campaigns/${id}/imports`,
      Buffer.from('to\n447700900001\n447700900002\n'),
      {
        'content-type': 'text/csv',
      },
    );
    expect(begun).toMatchObject({ status: 202, body: { format: 'csv', dry_run: false } });
    const read = async () => (await tenant.call('GET', `/v1/campaign-imports/${begun.body.id}`)).body;
    const ended = await kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
    expect(ended).toMatchObject({ status: 'completed', total: 2, added: 2 });
    for (const path of [`/v1/imports/${begun.body.id}`, `/v1/imports/${begun.body.id}/errors`])
      expect(await tenant.call('GET', path)).toMatchObject({ status: 404 });
  });
});
