import { beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageUnavailable } from '#database/database';
import { authorization, fakeApi, messageId, readOnly, tenantId } from '#http/testing/fake-api';
import { inboundMessage, outboundMessage } from '#http/testing/messages';
import { findMessage, traceMessage } from '#messages/store/message-reads';

vi.mock('#messages/store/message-reads', () => ({ findMessage: vi.fn(), traceMessage: vi.fn() }));
vi.mock('#messages/store/message-wait', () => ({ findMessageWaiting: vi.fn(async () => null) }));
const find = vi.mocked(findMessage);
const trace = vi.mocked(traceMessage);

beforeEach(() => {
  find.mockReset().mockResolvedValue(null);
  trace.mockReset().mockResolvedValue(null);
});

const { app } = fakeApi();

const NOTHING = '{"error":"The resource does not exist.","code":"not_found"}';

function get(url: string, headers: Record<string, string> = { authorization }) {
  return app.inject({ method: 'GET', url, headers });
}

describe('GET /v1/messages/{id}', () => {
  test('shows an outbound message with its status and delivery', async () => {
    const { delivery } = outboundMessage();
    const error = { code: 'network_error', message: 'Passing.', networkCode: 131000, retryable: true };
    const pricing = { category: 'service', billable: null, model: null };
    find.mockResolvedValue(
      outboundMessage({
        status: 'sent',
        delivery: { ...delivery, state: 'read', attempts: 2, readMs: Date.UTC(2030, 0, 1), error, pricing },
      }),
    );
    const answer = await get(`/v1/messages/${messageId}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      id: messageId,
      direction: 'outbound',
      status: 'sent',
      type: 'text',
      to: '447700900123',
      from: '15550100001',
      phone_number_id: '106540352242922',
      body: 'hello',
      campaign_name: null,
      client_ref: null,
      reply_to: null,
      resend_of: null,
      author: null,
      conversation_id: null,
      contact_id: null,
      priority: 'normal',
      send_at: null,
      expires_at: '2030-01-02T00:00:00.000Z',
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.000Z',
      deleted_at: null,
      edits: [],
      waiting: null,
      delivery: {
        state: 'read',
        network_message_id: null,
        attempts: 2,
        next_attempt_at: null,
        possible_duplicate: false,
        accepted_at: null,
        sent_at: null,
        delivered_at: null,
        read_at: '2030-01-01T00:00:00.000Z',
        failed_at: null,
        pricing: { category: 'service', billable: null, model: null },
        error: { code: 'network_error', message: 'Passing.', network_code: 131000, retryable: true },
      },
    });
  });
});

describe('GET /v1/messages/{id} of an inbound message', () => {
  test('shows an inbound message with its content under the name of its type', async () => {
    const content = { id: '7', mime_type: 'image/jpeg', nested: [{ deep: null }] };
    find.mockResolvedValue(inboundMessage({ type: 'image', body: null, content, from: null, fromUserId: 'US.13' }));
    const answer = await get(`/v1/messages/${messageId}`);
    expect(answer.json()).toMatchObject({
      direction: 'inbound',
      type: 'image',
      image: content,
      body: null,
      from: null,
      from_user_id: 'US.13',
      profile_name: 'Sam',
      network_timestamp: '2030-01-01T00:00:00.000Z',
      received_at: '2030-01-01T00:00:01.000Z',
    });
    expect(answer.json()).not.toHaveProperty('status');
  });

  test('a type that is called like a field does not replace the field', async () => {
    find.mockResolvedValue(inboundMessage({ type: 'id', content: { forged: true } }));
    expect((await get(`/v1/messages/${messageId}`)).json().id).toBe(inboundMessage().messageId);
  });

  test('looks for the message of the tenant of the key, whatever the case of the id', async () => {
    await get(`/v1/messages/${messageId.toUpperCase()}`);
    expect(find).toHaveBeenCalledWith(expect.anything(), tenantId, messageId);
  });

  test('the bytes keep the order of the documentation', async () => {
    find.mockResolvedValue(outboundMessage());
    const first = Object.keys((await get(`/v1/messages/${messageId}`)).json()).slice(0, 7);
    expect(first).toEqual(['id', 'direction', 'status', 'type', 'to', 'from', 'phone_number_id']);
  });

  test('a key with the scope may read', async () => {
    find.mockResolvedValue(outboundMessage());
    expect((await get(`/v1/messages/${messageId}`, { authorization: readOnly })).statusCode).toBe(200);
  });
});

describe.each(['', '/trace'])('GET /v1/messages/{id}%s', (suffix) => {
  test.each([
    '42',
    `${messageId}0`,
    'x'.repeat(400),
    '%00',
    "1'--",
    '..%2f..',
  ])('answers the id %s, which no message can have, as one that is not there', async (id) => {
    const answer = await get(`/v1/messages/${id}${suffix}`);
    expect([answer.statusCode, answer.body]).toEqual([404, NOTHING]);
    expect((await get(`/v1/messages/${id}${suffix}`, {})).statusCode).toBe(401);
  });

  test('refuses an unknown query parameter', async () => {
    expect((await get(`/v1/messages/${messageId}${suffix}?expand=all`)).json().error).toContain('expand');
  });

  test('needs a key', async () => {
    expect((await get(`/v1/messages/${messageId}${suffix}`, {})).statusCode).toBe(401);
  });

  test('answers the same bytes for every message that is not there or not yours', async () => {
    const headers = { authorization, 'x-request-id': 'same' };
    const one = await get(`/v1/messages/${messageId}${suffix}`, headers);
    const other = await get(`/v1/messages/0190a6f2-0000-7000-8000-00000000dead${suffix}`, headers);
    expect([one.statusCode, one.body]).toEqual([404, NOTHING]);
    expect(other.body).toBe(one.body);
    expect(steady(other.headers)).toEqual(steady(one.headers));
  });

  test('answers 503 with Retry-After when the database is away', async () => {
    find.mockRejectedValue(new StorageUnavailable('gone'));
    trace.mockRejectedValue(
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    );
    const answer = await get(`/v1/messages/${messageId}${suffix}`);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  });
});

describe('GET /v1/messages/{id}/trace', () => {
  test('tells what happened, in order', async () => {
    const atMs = Date.UTC(2030, 0, 1);
    trace.mockResolvedValue([
      { atMs, event: 'accepted', detail: 'Stored.' },
      { atMs: atMs + 1, event: 'attempt', detail: 'Refused.', data: { attempt: 1, http: { status: 500 } } },
    ]);
    expect((await get(`/v1/messages/${messageId}/trace`)).json()).toEqual({
      data: [
        { at: '2030-01-01T00:00:00.000Z', event: 'accepted', detail: 'Stored.' },
        {
          at: '2030-01-01T00:00:00.001Z',
          event: 'attempt',
          detail: 'Refused.',
          data: { attempt: 1, http: { status: 500 } },
        },
      ],
      waiting: null,
    });
  });
});

/** What an answer says of itself, but for the time and for how much the caller has left of its rates. */
function steady(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...headers, date: '', ratelimit: '', 'x-ratelimit-remaining': '' };
}
