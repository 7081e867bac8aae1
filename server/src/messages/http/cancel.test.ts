import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runOnce } from '#access/actions/run-once';
import { ApiProblem } from '#core/errors';
import { cancelErrorExamples } from '#http/schemas/examples';
import { authorization, fakeApi, messageId, readOnly, tenantId } from '#http/testing/fake-api';
import { outboundMessage } from '#http/testing/messages';
import { cancelMessage } from '#messages/actions/cancel-message';
import { findMessage } from '#messages/store/message-reads';

vi.mock('#messages/store/message-reads', () => ({ findMessage: vi.fn() }));
vi.mock('#messages/actions/cancel-message', () => ({ cancelMessage: vi.fn() }));
vi.mock('#access/actions/run-once', () => ({ runOnce: vi.fn() }));
const cancel = vi.mocked(cancelMessage);
const once = vi.mocked(runOnce);

const url = `/v1/messages/${messageId}/cancel`;

const { app } = fakeApi();

function post(path: string, headers: Record<string, string> = {}, payload?: string) {
  const body = payload === undefined ? {} : { payload };
  return app.inject({ method: 'POST', url: path, headers: { authorization, ...headers }, ...body });
}

beforeEach(() => {
  vi.mocked(findMessage)
    .mockReset()
    .mockResolvedValue(outboundMessage({ status: 'failed' }));
  cancel.mockReset().mockResolvedValue({ kind: 'canceled' });
  once
    .mockReset()
    .mockImplementation(async (_rt, _db, _tenant, _claim, work) => ({ ...(await work()), replayed: false }));
});

describe('POST /v1/messages/{id}/cancel', () => {
  test.each([
    ['no body', undefined, {}],
    ['an empty body', '', { 'content-type': 'application/json' }],
    ['an empty object', '{}', { 'content-type': 'application/json' }],
  ])('takes a queued message back and shows it, with %s', async (_label, payload, headers) => {
    const answer = await post(url, headers, payload);
    expect([answer.statusCode, answer.json().id, answer.json().status]).toEqual([200, messageId, 'failed']);
    expect(cancel).toHaveBeenCalledWith(expect.anything(), expect.anything(), tenantId, messageId);
  });

  test('refuses a field in the body', async () => {
    const answer = await post(url, { 'content-type': 'application/json' }, '{"reason":"x"}');
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'reason is not a known field here.']);
  });

  test('answers an id that is no UUID as an unknown one', async () => {
    expect((await post('/v1/messages/42/cancel')).statusCode).toBe(404);
  });

  test('needs a key, and its scope', async () => {
    expect((await post(url, { authorization: '' })).statusCode).toBe(401);
    expect((await post(url, { authorization: readOnly })).statusCode).toBe(403);
    expect(cancel).not.toHaveBeenCalled();
  });

  test('answers 404 for a message that is not there or not yours', async () => {
    cancel.mockResolvedValue({ kind: 'not_found' });
    const answer = await post(url);
    expect([answer.statusCode, answer.body]).toEqual([
      404,
      '{"error":"The resource does not exist.","code":"not_found"}',
    ]);
  });

  test('answers 409 when it comes too late, as documented', async () => {
    cancel.mockResolvedValue({ kind: 'too_late', status: 'sent' });
    const answer = await post(url);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual(cancelErrorExamples.find(({ code }) => code === 'conflict')?.body);
  });
});

describe('Idempotency-Key on POST /v1/messages/{id}/cancel', () => {
  test('runs once per Idempotency-Key, and says when it replays', async () => {
    const first = await post(url, { 'idempotency-key': 'k' });
    const body = Object.fromEntries(Object.entries(first.json()).reverse());
    once.mockResolvedValue({ statusCode: 200, body: body as never, replayed: true });
    const second = await post(url, { 'idempotency-key': 'k' });
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  test('the same key for another message has another fingerprint', async () => {
    await post(url, { 'idempotency-key': 'k' });
    await post(url.replace('9f01', '9f02'), { 'idempotency-key': 'k' });
    const [first, other] = once.mock.calls.map(([, , , claim]) => claim);
    expect(first?.keyHash).toBe(other?.keyHash);
    expect(first?.fingerprint).not.toBe(other?.fingerprint);
  });

  test('answers 422 for a key of another request', async () => {
    once.mockRejectedValue(new ApiProblem('idempotency_key_reused'));
    expect((await post(url, { 'idempotency-key': 'k' })).statusCode).toBe(422);
  });

  test('refuses an Idempotency-Key that is too long', async () => {
    expect((await post(url, { 'idempotency-key': 'x'.repeat(256) })).statusCode).toBe(400);
    expect(once).not.toHaveBeenCalled();
  });
});
