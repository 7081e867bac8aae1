import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { callbackBody, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ config: { unknownWaitS: 600 } });
});
afterAll(() => kit.close());
beforeEach(() => kit.simulate('PUT', '/_sim/chaos', {}));

const OUTBOUND = '/v1/messages/outbound';
const INBOUND = '/v1/messages/inbound';

async function ids(of: TestTenant, query: string, list = OUTBOUND): Promise<readonly string[]> {
  const answer = await of.call('GET', `${list}?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data.map((message: Answer['body']) => message.id);
}

describe('the list of outbound messages', () => {
  test('is newest first and narrowed by recipient in any spelling, campaign, number and time', async () => {
    const tenant = await makeTestTenant(kit);
    const second = '90876543210';
    const number = {
      tenantId: tenant.tenantId,
      phoneNumberId: second,
      displayPhone: '15557654321',
      name: null,
      ratePerSecond: null,
    };
    await addPhoneNumber(kit.rt, kit.service.db, number);
    const to = freshPhone();
    const a = await tenant.send(to);
    const b = await tenant.send(freshPhone(), { campaign_name: 'spring & co' });
    const c = await kit.until(
      () => tenant.call('POST', '/v1/messages', { to, body: 'x', phone_number_id: second }),
      (answer) => answer.status === 202,
      'the new number is known',
    );
    const [aAt, bAt] = [(await tenant.message(a)).created_at, (await tenant.message(b)).created_at];
    expect(await ids(tenant, '')).toEqual([c.body.id, b, a]);
    expect(await ids(tenant, `to=${to}`)).toEqual([c.body.id, a]);
    expect(await ids(tenant, `to=${encodeURIComponent(`+${to.slice(0, 4)} ${to.slice(4)}`)}`)).toEqual([c.body.id, a]);
    expect(await ids(tenant, `campaign_name=${encodeURIComponent('spring & co')}`)).toEqual([b]);
    expect(await ids(tenant, `phone_number_id=${second}`)).toEqual([c.body.id]);
    expect(await ids(tenant, `created_after=${bAt}&created_before=2999-01-01T00:00:00Z`)).toContain(b);
    expect(await ids(tenant, `created_before=${aAt}`)).toEqual([]);
    expect(await ids(tenant, `to=${to}&campaign_name=none`)).toEqual([]);
  });

  test('is narrowed by each of the four statuses, and they part the messages among them', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const sent = await tenant.send(freshPhone());
    await tenant.untilMessage(sent, (m) => m.status === 'sent', 'one is sent');
    const failed = await tenant.send('99900000003');
    await tenant.untilMessage(failed, (m) => m.status === 'failed', 'one failed');
    const canceled = await tenant.send(freshPhone(), { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await tenant.call('POST', `/v1/messages/${canceled}/cancel`);
    const queued = await tenant.send(freshPhone(), { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'drop_before_accept' }] } });
    const sending = await tenant.send(freshPhone());
    await tenant.untilMessage(sending, (m) => m.delivery.state === 'unknown', 'one hangs');
    const byStatus = { sent: [sent], failed: [canceled, failed], queued: [queued], sending: [sending] };
    for (const [status, expected] of Object.entries(byStatus))
      expect(await ids(tenant, `status=${status}`)).toEqual(expected);
  });

  test('finds sent messages by how far they came: delivered and not read yet, or read', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const read = await tenant.send('99900000001');
    const delivered = await tenant.send('99900000002');
    await tenant.untilMessage(read, (m) => m.delivery.state === 'read', 'one is read');
    await tenant.untilMessage(delivered, (m) => m.delivery.state === 'delivered', 'one is delivered');
    expect(await ids(tenant, 'status=read')).toEqual([read]);
    expect(await ids(tenant, 'status=delivered')).toEqual([delivered]);
    expect(await ids(tenant, 'status=sent')).toEqual([delivered, read]);
  });

  test('walked by its cursor shows each of 250 messages once, while new ones arrive', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 1 });
    const posted = await Promise.all(Array.from({ length: 250 }, () => tenant.send(freshPhone())));
    const seen: string[] = [];
    let path: string | null = `${OUTBOUND}?limit=40`;
    for (let page = 0; path !== null; page += 1) {
      expect(page).toBeLessThan(20);
      const answer: Answer = await tenant.call('GET', path);
      const { data, page: info } = answer.body;
      seen.push(...data.map((message: Answer['body']) => message.id));
      expect(info.has_more).toBe(info.next_cursor !== null);
      await tenant.send(freshPhone());
      path = info.next_cursor === null ? null : `${OUTBOUND}?limit=40&cursor=${encodeURIComponent(info.next_cursor)}`;
    }
    expect(seen).toEqual([...new Set(seen)]);
    expect(seen).toEqual([...posted].sort().reverse());
  });

  test('paged by offset parts the messages, and says when there are no more', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 1 });
    const posted = await Promise.all(Array.from({ length: 7 }, () => tenant.send(freshPhone())));
    const pages = await Promise.all(
      [0, 3, 6, 9].map((offset) => tenant.call('GET', `${OUTBOUND}?limit=3&offset=${offset}`)),
    );
    const all = pages.flatMap((answer) => answer.body.data.map((message: Answer['body']) => message.id));
    expect(all).toEqual([...posted].sort().reverse());
    expect(pages.map((answer) => answer.body.page.has_more)).toEqual([true, true, false, false]);
    expect(pages[0]?.headers.get('link')).toMatch(/rel="next"/);
  });

  test('refuses a cursor of another tenant, of another list, and one that was changed', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 1 });
    const stranger = await makeTestTenant(kit);
    for (let count = 0; count < 3; count += 1) await tenant.send(freshPhone());
    const { next_cursor: cursor } = (await tenant.call('GET', `${OUTBOUND}?limit=1`)).body.page;
    const query = (text: string) => `limit=1&cursor=${encodeURIComponent(text)}`;
    expect((await tenant.call('GET', `${OUTBOUND}?${query(cursor)}`)).status).toBe(200);
    expect((await stranger.call('GET', `${OUTBOUND}?${query(cursor)}`)).status).toBe(400);
    expect((await tenant.call('GET', `${INBOUND}?${query(cursor)}`)).status).toBe(400);
    const changed = cursor.slice(0, 5) + (cursor[5] === 'A' ? 'B' : 'A') + cursor.slice(6);
    expect((await tenant.call('GET', `${OUTBOUND}?${query(changed)}`)).status).toBe(400);
  });
});

describe('the list of inbound messages', () => {
  test('is newest first and narrowed by sender, type, number and time', async () => {
    const tenant = await makeTestTenant(kit);
    const [ada, ben] = [freshPhone(), freshPhone()];
    const image = { type: 'image', text: undefined, image: { id: '1', mime_type: 'image/png' } };
    const one = (id: string, from: string, fields: object = {}) =>
      callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [inboundText(`${id}.${ada}`, from, fields)] });
    await ingest(kit, one('1', ada));
    await ingest(kit, one('2', ada, image));
    await ingest(kit, one('3', ben));
    const [third, second, first] = await ids(tenant, '', INBOUND);
    expect(await ids(tenant, `from=${ada}`, INBOUND)).toEqual([second, first]);
    expect(await ids(tenant, 'type=image', INBOUND)).toEqual([second]);
    expect(await ids(tenant, `type=text&from=${encodeURIComponent(`+${ben}`)}`, INBOUND)).toEqual([third]);
    expect(await ids(tenant, `phone_number_id=${tenant.phoneNumberId}`, INBOUND)).toHaveLength(3);
    expect(await ids(tenant, 'phone_number_id=1', INBOUND)).toEqual([]);
    expect(await ids(tenant, 'created_before=2020-01-01T00:00:00Z', INBOUND)).toEqual([]);
    const message = (await tenant.call('GET', `/v1/messages/${first}`)).body;
    expect(await ids(tenant, `conversation_id=${message.conversation_id}`, INBOUND)).toEqual([second, first]);
  });
});
