import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countRows } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return tenant.call('POST', '/v1/messages/batch', body, headers);
}

const stored = () => countRows(kit.service.db, 'outbound_messages', tenant.tenantId);
const text = (body: string) => ({ to: freshPhone(), body });

describe('POST /v1/messages/batch', () => {
  test('accepts a thousand in one request, in order, and stores each', async () => {
    const before = await stored();
    const messages = Array.from({ length: 1000 }, (_message, index) => text(`number ${index}`));
    const answer = await post({ messages });
    expect(answer.status).toBe(200);
    const data: { index: number; status: number; message: { id: string; to: string } }[] = answer.body.data;
    expect(data.map(({ index, status }) => [index, status])).toEqual(messages.map((_message, index) => [index, 202]));
    expect(data.map(({ message }) => message.to)).toEqual(messages.map(({ to }) => to));
    expect(data.map(({ message }) => message.id)).toEqual(data.map(({ message }) => message.id).toSorted());
    expect(await stored()).toBe(before + 1000);
    expect((await tenant.message(data[999]?.message.id ?? '')).body).toBe('number 999');
  });

  test('gives each message the answer that it would have had alone', async () => {
    const before = await stored();
    const missing = '0190a6f2-0000-7000-8000-00000000dead';
    const wrong = [{ to: '12', body: 'Hi' }, { ...text('Hi'), reply_to: missing }, { ...text(''), colour: 'red' }, 7];
    const image = { to: freshPhone(), type: 'image', media: { link: 'https://shop.example/a.png' } };
    const { body } = await post({ messages: [text('Hi'), ...wrong, image] });
    expect(body.data.map(({ status }: { status: number }) => status)).toEqual([202, 400, 400, 400, 400, 202]);
    for (const [index, message] of wrong.entries()) {
      const alone = await tenant.call('POST', '/v1/messages', message);
      expect(body.data[index + 1]).toEqual({ index: index + 1, status: 400, error: alone.body });
    }
    expect(body.data[5].message).toMatchObject({ type: 'image', status: 'queued' });
    expect(await stored()).toBe(before + 2);
  });

  test.each([
    ['none', { messages: [] }, 'messages must not be empty.'],
    [
      '1001',
      { messages: Array.from({ length: 1001 }, () => 1) },
      'messages has 1001 entries; it may have at most 1000.',
    ],
    ['no list', {}, 'messages is required.'],
    ['something else beside', { messages: [text('Hi')], dry_run: true }, 'dry_run is not a known field here.'],
  ])('refuses %s as a whole', async (_label, body, sentence) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: sentence } });
  });

  test('needs a key that may send', async () => {
    const answer = await post({ messages: [text('Hi')] }, { authorization: 'Bearer nobody' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const reader = await makeTestTenant(kit, { scopes: ['messages:read'] });
    expect((await reader.call('POST', '/v1/messages/batch', { messages: [text('Hi')] })).status).toBe(403);
  });

  test('takes 2 MB and not one byte more', async () => {
    const empty = JSON.stringify({ messages: [{ to: '1', body: '' }] });
    const full = (bytes: number) => ({ messages: [{ to: '1', body: 'x'.repeat(bytes - empty.length) }] });
    expect((await post(full(2 * 1024 * 1024))).status).toBe(200);
    expect((await post(full(2 * 1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('an Idempotency-Key of a batch', () => {
  test('answers a repetition with the same bytes, and stores nothing more', async () => {
    const body = { messages: [text('One'), { to: 'x', body: 'Two' }, text('Three')] };
    const first = await post(body, { 'idempotency-key': 'batch' });
    const before = await stored();
    const second = await post(body, { 'idempotency-key': 'batch' });
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await stored()).toBe(before);
    const other = await post({ messages: [text('Other')] }, { 'idempotency-key': 'batch' });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  test('completes a batch that a killed process left half done, without a second copy of any message', async () => {
    const body = { messages: [text('One'), text('Two')] };
    const first = await post(body, { 'idempotency-key': 'killed' });
    const before = await stored();
    // What a process leaves that was killed after the commit of its messages and before that of its answer.
    await kit.service.db.run(
      {
        name: 'test_forget_answer',
        text: 'delete from idempotency_keys where tenant_id = $1 and message_id is null and response::text like $2',
      },
      [tenant.tenantId, `%${first.body.data[0].message.id}%`],
    );
    const second = await post(body, { 'idempotency-key': 'killed' });
    expect(second.body).toEqual(first.body);
    expect(await stored()).toBe(before);
  });
});
