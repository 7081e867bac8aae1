import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, type ContractClient, contractClient } from '#http/contract/testing/contract-client';
import { CUSTOMER, customerWrites } from '#http/contract/testing/customer';
import { fileOf, picture } from '#http/contract/testing/files';
import { messagesOfEachType } from '#http/contract/testing/messages-of-each-type';
import { expectAccepted, expectError, expectMessage, expectPage, time, uuid } from '#http/contract/testing/promises';
import { startTestService, TEST_KEY, type TestService } from '#testing/test-service';

/*
 * A stranger with the specification, an address and a key sends and reads messages. What is checked stands in the
 * specification or in the description of the API; nothing is read from our own code.
 */
let kit: TestService;
let client: ContractClient;

beforeAll(async () => {
  kit = await startTestService();
  client = contractClient(kit.service.url, TEST_KEY);
});
afterAll(() => kit.close());

const MP4 = '000000206674797069736f6d0000020069736f6d69736f32617663316d703431';
const PDF = Buffer.from('%PDF-1.7\n').toString('hex');

async function uploaded(file: File): Promise<string> {
  const answer = await client.upload('/v1/media', file);
  expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ media_id: uuid })]);
  return answer.json.media_id;
}

/** Polls the status as the specification tells callers to. */
function untilStatus(id: string, done: (message: Answered['json']) => boolean): Promise<Answered['json']> {
  return kit.until(async () => (await client.get(`/v1/messages/${id}`)).json, done, 'the message is as wanted');
}

describe('sending (4.1, 4.2)', () => {
  test('a message is queued, then sending, then sent, and says so with its delivery', async () => {
    const id = expectAccepted(
      await client.post('/v1/messages', { to: '+44 7700 900-123', body: 'Hi' }),
      'text',
      '447700900123',
    );
    const message = await untilStatus(id, ({ delivery }) => delivery.state === 'read');
    expectMessage(message, 'outbound');
    expect(message).toMatchObject({ id, status: 'sent', body: 'Hi', to: '447700900123', delivery: { error: null } });
    const { accepted_at, sent_at, delivered_at, read_at } = message.delivery;
    expect([accepted_at, sent_at, delivered_at, read_at]).toEqual([time, time, time, time]);
    const trace = await client.get(`/v1/messages/${id}/trace`);
    expect([trace.status, trace.json.data.length > 2]).toEqual([200, true]);
  });

  test('a message that does not arrive is failed, and says why', async () => {
    const id = expectAccepted(
      await client.post('/v1/messages', { to: '99900000003', body: 'Hi' }),
      'text',
      '99900000003',
    );
    const { delivery } = await untilStatus(id, ({ status }) => status === 'failed');
    expect(delivery).toMatchObject({
      state: 'failed',
      failed_at: time,
      error: { code: expect.any(String), message: expect.any(String), retryable: expect.any(Boolean) },
    });
  });

  test('every type is accepted, sent and shown as it was written', async () => {
    const answered = (await customerWrites(kit, client, { text: 'Where is my parcel?' })).id;
    const [image, video, audio, document, sticker] = await Promise.all([
      uploaded(picture()),
      uploaded(fileOf('clip.mp4', MP4, 'video/mp4')),
      uploaded(fileOf('note.mp3', '494433030000000000', 'audio/mpeg')),
      uploaded(fileOf('invoice.pdf', PDF, 'application/pdf')),
      uploaded(fileOf('hi.webp', '524946462407000057454250565038204c070000', 'image/webp')),
    ]);
    const ids = { picture: image, video, audio, document, sticker, answered };
    for (const [what, content] of messagesOfEachType(ids)) {
      const answer = await client.post('/v1/messages', { to: CUSTOMER, ...content });
      expect([what, answer.status, answer.json.error]).toEqual([what, 202, undefined]);
      const id = expectAccepted(answer, content.type, CUSTOMER);
      const message = await untilStatus(id, ({ status }) => status === 'sent' || status === 'failed');
      expectMessage(message, 'outbound');
      expect([what, message.status, message.type]).toEqual([what, 'sent', content.type]);
      const { type: _type, body, reply_to, preview_url: _preview, ...objects } = content;
      expect(message).toMatchObject({ ...objects, ...(body ? { body } : {}), ...(reply_to ? { reply_to } : {}) });
    }
  });

  test('the common fields come back wherever the message is', async () => {
    const fields = { campaign_name: 'spring', client_ref: 'order-42', priority: 'high', ttl_s: 600 };
    const { phone_number_id } = (await client.get('/v1/messages/inbound?limit=1')).json.data[0];
    const answer = await client.post('/v1/messages', { to: CUSTOMER, body: 'Hi', phone_number_id, ...fields });
    const { json } = await client.get(`/v1/messages/${expectAccepted(answer, 'text', CUSTOMER)}`);
    const { ttl_s: _ttl, ...shown } = fields;
    expect(json).toMatchObject({ ...shown, phone_number_id, expires_at: time });
  });

  test('a dry run stores nothing, and a wait answers the outcome', async () => {
    const newest = async () => (await client.get('/v1/messages/outbound?limit=1')).json.data[0].id;
    const before = await newest();
    const dry = await client.post('/v1/messages/dry-run', { to: CUSTOMER, body: 'Hi' });
    expect([dry.status, dry.json]).toEqual([
      200,
      expect.objectContaining({ would_send: true, blockers: [], warnings: expect.any(Array) }),
    ]);
    for (const name of ['category', 'estimated_cost', 'eta_s']) expect(dry.json).toHaveProperty(name);
    expect(await newest()).toBe(before);
    const waited = await client.post('/v1/messages', { to: '447700900124', body: 'Hi' }, { Prefer: 'wait=30' });
    expect([waited.status, waited.json.status]).toEqual([200, 'sent']);
  });

  test('a batch answers per message; a key makes a request happen once', async () => {
    const messages = [
      { to: '447700900125', body: 'One' },
      { to: 'nobody', body: 'Two' },
      { to: '447700900126', body: 'Three' },
    ];
    const once = { 'Idempotency-Key': 'batch-1' };
    const first = await client.post('/v1/messages/batch', { messages }, once);
    expect([first.status, first.json.data.map((item: { status: number }) => item.status)]).toEqual([
      200,
      [202, 400, 202],
    ]);
    const again = await client.post('/v1/messages/batch', { messages }, once);
    expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([first.json, 'true']);
    const single = () => client.post('/v1/messages', { to: '447700900127', body: 'Hi' }, { 'Idempotency-Key': 'one' });
    const [left, right] = [await single(), await single()];
    expect(right.json).toEqual(left.json);
    expectError(
      await client.post('/v1/messages', { to: '447700900127', body: 'No' }, { 'Idempotency-Key': 'one' }),
      422,
    );
  });

  test('what waits can be canceled, what failed sent again, what a customer wrote marked as read', async () => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = expectAccepted(
      await client.post('/v1/messages', { to: CUSTOMER, body: 'Later', send_at }),
      'text',
      CUSTOMER,
    );
    expect((await client.post(`/v1/messages/${id}/cancel`)).json).toMatchObject({ id, status: 'failed' });
    expectError(await client.post(`/v1/messages/${id}/cancel`), 409, 'conflict');
    const again = expectAccepted(await client.post(`/v1/messages/${id}/resend`), 'text', CUSTOMER);
    expect((await client.get(`/v1/messages/${again}`)).json).toMatchObject({ resend_of: id, body: 'Later' });
    const inbound = await customerWrites(kit, client, { text: 'Are you there?' });
    expect((await client.post(`/v1/messages/${inbound.id}/read`, { typing: true })).status).toBe(200);
  });
});

describe('lists (4.3, 4.4)', () => {
  test('outbound messages come newest first, by offset and by cursor the same, 50 at a time', async () => {
    const to = '447700900200';
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      sent.unshift(expectAccepted(await client.post('/v1/messages', { to, body: `${count}` }), 'text', to));
    }
    const all = await client.get(`/v1/messages/outbound?to=${to}`);
    expect(expectPage(all).map(({ id }) => id)).toEqual(sent);
    expect(all.json.page).toMatchObject({ limit: 50, offset: 0, has_more: false });
    for (const message of all.json.data) expectMessage(message, 'outbound');
    const byOffset: string[] = [];
    for (const offset of [0, 2, 4]) {
      byOffset.push(
        ...expectPage(await client.get(`/v1/messages/outbound?to=${to}&limit=2&offset=${offset}`)).map(({ id }) => id),
      );
    }
    const byLink: string[] = [];
    for (let path: string | undefined = `/v1/messages/outbound?to=${to}&limit=2`; path !== undefined; ) {
      const page: Answered = await client.get(path);
      byLink.push(...expectPage(page).map(({ id }) => id));
      path = /<(.*)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect([byOffset, byLink]).toEqual([sent, sent]);
  });

  test('inbound messages are found by sender and by type', async () => {
    const from = '447700900300';
    const { id } = await customerWrites(kit, client, { text: 'Hello there', from });
    const found = await client.get(`/v1/messages/inbound?from=${encodeURIComponent('+44 7700 900300')}&type=text`);
    expect(expectPage(found).map((message) => message.id)).toEqual([id]);
    for (const message of found.json.data) expectMessage(message, 'inbound');
    expect(found.json.data[0]).toMatchObject({ from, type: 'text', body: 'Hello there' });
    expect(expectPage(await client.get(`/v1/messages/inbound?from=${from}&type=image`))).toEqual([]);
    expect((await client.get(`/v1/messages/${id}`)).json).toEqual(found.json.data[0]);
  });

  test.each([
    'messages/inbound',
    'messages/outbound',
    'media',
    'api-keys',
    'audit-log',
    'wallet/transactions',
  ])('%s is a page, and a limit out of 1 to 1000 is a 400', async (list) => {
    const page = await client.get(`/v1/${list}`);
    expectPage(page);
    expect(page.json.page.limit).toBe(50);
    expectPage(await client.get(`/v1/${list}?limit=1000`));
    for (const wrong of ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'colour=red']) {
      expectError(await client.get(`/v1/${list}?${wrong}`), 400, 'validation_failed');
    }
  });
});
