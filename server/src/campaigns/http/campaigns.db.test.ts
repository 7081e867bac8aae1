import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadFile } from '#testing/media/test-media';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

const template = { name: 'order_shipped', language: 'en' };

async function draft(fields: object = {}): Promise<string> {
  const made = await tenant.call('POST', '/v1/campaigns', { name: 'spring', template, ...fields });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const add = (id: string, phones: readonly string[]) =>
  tenant.call('POST', `/v1/campaigns/${id}/recipients`, { recipients: phones.map((to) => ({ to })) });
const find = async (id: string) => (await tenant.call('GET', `/v1/campaigns/${id}`)).body;
const until = (id: string, done: (campaign: Awaited<ReturnType<typeof find>>) => boolean, what: string) =>
  kit.until(() => find(id), done, what);

async function start(id: string) {
  const started = await tenant.call('POST', `/v1/campaigns/${id}/start`);
  expect(started.status, started.text).toBe(200);
  return started.body;
}

async function bringIn(id: string, text: string, fields: object = {}) {
  const file = await uploadFile(kit, tenant.key, Buffer.from(text), { filename: 'people.csv', type: 'text/csv' });
  const begun = await tenant.call('POST', `/v1/campaigns/${id}/imports`, { media_id: file.body.media_id, ...fields });
  expect(begun, begun.text).toMatchObject({ status: 202, body: { status: 'queued', total: 0, campaign_id: id } });
  const path = `/v1/campaign-imports/${begun.body.id}`;
  const read = async () => (await tenant.call('GET', path)).body;
  const ended = await kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
  expect(ended.added + ended.duplicates + ended.invalid).toBe(ended.total);
  const errors = (await tenant.call('GET', `${path}/errors`)).text.trimEnd().split('\r\n').slice(1);
  return { ...ended, errors };
}

describe('a file of recipients', () => {
  const table = 'Mobile;Voucher;Note\n+44 7700 900001;A1;x\n44770;A2;x\n447700900002;;x\n447700900001;A3;x\n';
  const mapping = { Mobile: 'to', Voucher: 'code' };
  const counts = { status: 'completed', total: 4, added: 2, duplicates: 1, invalid: 1 };
  const errors = [expect.stringMatching(/^2,invalid,.*to has 5 digits/), '4,duplicate,An earlier row has this number.'];

  test('comes in with its columns as variables, counts that add up and a reason per row; tried first it changes nothing', async () => {
    const id = await draft();
    expect(await bringIn(id, table, { mapping, dry_run: true })).toMatchObject({ ...counts, errors });
    expect((await find(id)).recipients.total).toBe(0);
    expect(await bringIn(id, table, { mapping })).toMatchObject({ ...counts, errors });
    const { data } = (await tenant.call('GET', `/v1/campaigns/${id}/recipients`)).body;
    expect(data).toMatchObject([
      { to: '447700900001', variables: { code: 'A1' } },
      { to: '447700900002', variables: null },
    ]);
    expect(await bringIn(id, table, { mapping })).toMatchObject({ added: 0, duplicates: 3, invalid: 1 });
  });

  test('of several portions comes in whole; it ends with a reason when the campaign is no draft any more', async () => {
    const id = await draft();
    const rows = Array.from({ length: 2_100 }, (_, n) => `44770090${1000 + n}`);
    expect(await bringIn(id, `to\n${rows.join('\n')}`)).toMatchObject({ total: 2_100, added: 2_100, errors: [] });
    expect((await find(id)).recipients.total).toBe(2_100);
    await tenant.call('POST', `/v1/campaigns/${id}/cancel`);
    const file = await uploadFile(kit, tenant.key, Buffer.from('to\n447700900001'), { filename: 'a.csv' });
    const late = await tenant.call('POST', `/v1/campaigns/${id}/imports`, { media_id: file.body.media_id });
    expect(late).toMatchObject({ status: 409, body: { code: 'campaign_state' } });
  });
});

describe('a campaign', () => {
  test('for a segment goes to its members as they are at its start; its results can be filtered and read as a table', async () => {
    await tenant.call('POST', '/v1/contact-attributes', { key: 'city', type: 'text' });
    const contact = async (fields: object) =>
      (await tenant.call('POST', '/v1/contacts', { phone: freshPhone(), ...fields })).body;
    const ada = await contact({ name: 'Ada', tags: ['VIP'], attributes: { city: 'Rome' } });
    const bea = await contact({ name: 'Bea', tags: ['VIP'] });
    await contact({ name: 'Cal', attributes: { city: 'Oslo' } });
    const when = { field: 'contact.tags', match: 'has', value: 'VIP' };
    const segment = (await tenant.call('POST', '/v1/segments', { name: 'VIP', when })).body;
    const variables = { city: '{{contact.attributes.city}}' };
    const id = await draft({ template: { ...template, variables }, audience: { segment_id: segment.id } });
    const preflight = await tenant.call('POST', `/v1/campaigns/${id}/preflight`);
    expect(preflight.body).toMatchObject({ recipients: 2, would_send: 1, blockers: [] });
    expect(preflight.body.would_skip).toEqual([{ code: 'variable_missing', count: 1 }]);
    const started = await start(id);
    expect(started).toMatchObject({ status: 'preparing', audience: { segment_id: segment.id, when } });
    await tenant.call('DELETE', `/v1/segments/${segment.id}`);
    const done = await until(id, ({ status }) => status === 'completed', 'it is completed');
    expect(done.recipients).toMatchObject({ total: 2, sent: 1, skipped: 1, waiting: 0, queued: 0, failed: 0 });
    const list = await tenant.call('GET', `/v1/campaigns/${id}/recipients?reason=variable_missing`);
    expect(list.body.data).toMatchObject([{ to: bea.phone, status: 'skipped', message_id: null }]);
    const csv = await tenant.call('GET', `/v1/campaigns/${id}/recipients?limit=1`, undefined, { accept: 'text/csv' });
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(new RegExp(`^${ada.phone},sent,[0-9a-f-]{36},,,2`));
    expect((await tenant.ledger(ada.phone))[0].request.template).toBeDefined();
  });

  test('waits behind a message of normal priority that came later, and counts together with single sends of its name', async () => {
    const number = `/v1/phone-numbers/${tenant.phoneNumberId}`;
    await tenant.call('PATCH', number, { status: 'paused', pause_reason: 'For a test.' });
    const id = await draft({ phone_number_id: tenant.phoneNumberId });
    await add(id, Array.from({ length: 5 }, freshPhone));
    await start(id);
    await until(id, ({ recipients }) => recipients.queued === 5, 'all are queued');
    const service = freshPhone();
    await tenant.send(service, { phone_number_id: tenant.phoneNumberId });
    await tenant.send(freshPhone(), { phone_number_id: tenant.phoneNumberId, campaign_name: 'spring' });
    await tenant.call('PATCH', number, { status: 'active' });
    await until(id, ({ status }) => status === 'completed', 'it is completed');
    expect((await tenant.ledger())[0].to).toBe(service);
    const report = () => tenant.call('GET', '/v1/analytics/summary?campaign_name=spring');
    const all = await kit.until(report, ({ body }) => body.messages?.sent === 6, 'the report has all of them');
    expect(all.body.messages).toMatchObject({ accepted: 6, sent: 6 });
  });

  test('whose messages fail says so of each, and sends again only on request', async () => {
    const id = await draft();
    const good = freshPhone();
    await add(id, ['99900000003', good]);
    await start(id);
    const done = await until(id, ({ status }) => status === 'completed', 'it is completed');
    const failed = (campaign: typeof done) => campaign.recipients.failed === 1;
    const counted = await until(id, failed, 'the failure is known');
    expect(counted.recipients).toMatchObject({ total: 2, sent: 1, failed: 1 });
    const { data } = (await tenant.call('GET', `/v1/campaigns/${id}/recipients?status=failed`)).body;
    expect(data).toMatchObject([{ to: '99900000003', reason: { code: 'recipient_unreachable' } }]);
    const again = await tenant.call('POST', `/v1/campaigns/${id}/retry`, { scope: 'failed' });
    expect(again).toMatchObject({ status: 200, body: { retried: 1, campaign: { status: 'running' } } });
    await until(id, (campaign) => campaign.status === 'completed' && failed(campaign), 'it failed again');
    expect(await tenant.ledger(good)).toHaveLength(1);
  });

  test('a condition or a segment that is none is refused when the campaign is made', async () => {
    const make = (audience: object) => tenant.call('POST', '/v1/campaigns', { name: 'x', template, audience });
    const wrong = await make({ when: { field: 'contact.colour', value: 'red' } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await make({})).status).toBe(400);
    const none = await make({ segment_id: '0190a6f2-0000-7000-8000-00000000dead' });
    expect(none).toMatchObject({ status: 400, body: { code: 'unknown_segment' } });
  });
});
