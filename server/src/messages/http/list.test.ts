import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageId } from '#core/ids';
import { StorageUnavailable } from '#database/database';
import { authorization, fakeApi, messageId, tenantId } from '#http/testing/fake-api';
import { inboundMessage, outboundMessage } from '#http/testing/messages';
import { listInbound, listOutbound } from '#messages/store/message-reads';

vi.mock('#messages/store/message-reads', () => ({ listInbound: vi.fn(), listOutbound: vi.fn() }));
const outbound = vi.mocked(listOutbound);
const inbound = vi.mocked(listInbound);
const lastId = '0190a6f2-8c1e-7d54-9b3a-000000000007' as MessageId;

const { app } = fakeApi();

function get(url: string, headers: Record<string, string> = { authorization }) {
  return app.inject({ method: 'GET', url, headers });
}

beforeEach(() => {
  outbound
    .mockReset()
    .mockResolvedValue({ items: [outboundMessage(), outboundMessage({ messageId: lastId })], hasMore: true });
  inbound.mockReset().mockResolvedValue({ items: [inboundMessage()], hasMore: false });
});

describe('GET /v1/messages/outbound', () => {
  test('answers a page of messages and where it stands', async () => {
    const answer = await get('/v1/messages/outbound');
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data.map((item: { id: string }) => item.id)).toEqual([messageId, lastId]);
    expect(answer.json().page).toEqual({
      limit: 50,
      offset: 0,
      has_more: true,
      next_cursor: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(outbound).toHaveBeenCalledWith(expect.anything(), tenantId, {}, { limit: 50, offset: 0, beforeId: null });
  });

  test('hands on every filter as a value', async () => {
    const query = new URLSearchParams({
      to: '+44 (7700) 900-123',
      status: 'sent',
      campaign_name: 'spring opening',
      phone_number_id: '106540352242922',
      conversation_id: messageId.toUpperCase(),
      created_after: '2030-01-01T00:00:00Z',
      created_before: '2030-01-02T01:00:00+01:00',
      limit: '1000',
      offset: '7',
    });
    expect((await get(`/v1/messages/outbound?${query}`)).statusCode).toBe(200);
    const filter = {
      to: '447700900123',
      status: 'sent',
      campaignName: 'spring opening',
      phoneNumberId: '106540352242922',
      conversationId: messageId,
      createdAfterMs: Date.UTC(2030, 0, 1),
      createdBeforeMs: Date.UTC(2030, 0, 2),
    };
    expect(outbound).toHaveBeenCalledWith(expect.anything(), tenantId, filter, {
      limit: 1000,
      offset: 7,
      beforeId: null,
    });
  });

  test('a + that was not encoded arrives as a space and still finds the number', async () => {
    await get('/v1/messages/outbound?to=+447700900123');
    expect(outbound.mock.calls[0]?.[2]).toEqual({ to: '447700900123' });
  });
});

describe('pages of GET /v1/messages/outbound', () => {
  test('next_cursor and Link lead behind the last item, with the same filters', async () => {
    const first = await get('/v1/messages/outbound?to=447700900123&limit=2&offset=4');
    const link = /^<(\/v1\/messages\/outbound\?[^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    expect(link).toContain(encodeURIComponent(first.json().page.next_cursor));
    expect((await get(link)).statusCode).toBe(200);
    const window = { limit: 2, offset: 0, beforeId: lastId };
    expect(outbound).toHaveBeenLastCalledWith(expect.anything(), tenantId, { to: '447700900123' }, window);
  });

  test('the last page has no next_cursor and no Link', async () => {
    outbound.mockResolvedValue({ items: [], hasMore: false });
    const answer = await get('/v1/messages/outbound?offset=5000');
    expect(answer.json()).toEqual({ data: [], page: { limit: 50, offset: 5000, has_more: false, next_cursor: null } });
    expect(answer.headers.link).toBeUndefined();
  });

  test('a cursor of another filter, another list, or another making is refused', async () => {
    const cursor = (await get('/v1/messages/outbound')).json().page.next_cursor;
    const forged = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'E' : 'A'}`;
    const refused = [
      `outbound?to=447700900123&cursor=${cursor}`,
      `inbound?cursor=${cursor}`,
      `outbound?cursor=${forged}`,
    ];
    for (const path of [...refused, 'outbound?cursor=x', 'outbound?cursor=%00']) {
      const answer = await get(`/v1/messages/${path}`);
      expect([answer.statusCode, answer.json().details[0].path]).toEqual([400, 'query.cursor']);
    }
  });

  test('a cursor together with an offset is refused', async () => {
    const cursor = (await get('/v1/messages/outbound')).json().page.next_cursor;
    const answer = await get(`/v1/messages/outbound?offset=0&cursor=${cursor}`);
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      'offset and cursor exclude each other: send one of them.',
    ]);
  });
});

describe('GET /v1/messages/inbound', () => {
  test('answers a page of messages', async () => {
    const answer = await get('/v1/messages/inbound');
    expect(answer.json()).toMatchObject({
      data: [{ direction: 'inbound', text: { body: 'thanks' }, body: 'thanks' }],
      page: { limit: 50, offset: 0, has_more: false, next_cursor: null },
    });
  });

  test('filters by a number in any form, by a user id, and by type', async () => {
    await get('/v1/messages/inbound?from=%2B44%207700%20900123&type=image');
    await get('/v1/messages/inbound?from=US.13491208655302741918');
    expect(inbound.mock.calls.map(([, , filter]) => filter)).toEqual([
      { from: '447700900123', type: 'image' },
      { from: 'US.13491208655302741918' },
    ]);
  });
});

describe.each(['outbound', 'inbound'])('GET /v1/messages/%s', (name) => {
  test.each([
    ['limit=0', 'limit must be a whole number from 1 to 1000.'],
    ['limit=1001', 'limit must be a whole number from 1 to 1000.'],
    ['limit=ten', 'limit must be a whole number from 1 to 1000.'],
    ['limit=', 'limit must be a whole number from 1 to 1000.'],
    ['limit=1.5', 'limit must be a whole number from 1 to 1000.'],
    ['limit=1&limit=2', 'limit must be a whole number from 1 to 1000.'],
    ['offset=-1', 'offset must be a whole number from 0 to 2147483647.'],
    ['offset=1e99', 'offset must be a whole number from 0 to 2147483647.'],
    ['colour=red', 'colour is not a known query parameter here.'],
    ['__proto__=1', '__proto__ is not a known query parameter here.'],
    ['conversation_id=7', 'conversation_id must be a UUID'],
    ['phone_number_id=a', 'phone_number_id must be a string of digits'],
    ['created_after=yesterday', 'created_after must be an RFC 3339 time with a zone'],
  ])('refuses ?%s', async (query, sentence) => {
    const answer = await get(`/v1/messages/${name}?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toContain(sentence);
  });

  test('refuses limit=0 as documented, and several faults at once', async () => {
    expect((await get(`/v1/messages/${name}?limit=0`)).json()).toEqual({
      error: 'limit must be a whole number from 1 to 1000.',
      code: 'validation_failed',
      details: [{ path: 'query.limit', message: 'limit must be a whole number from 1 to 1000.' }],
    });
    expect((await get(`/v1/messages/${name}?limit=0&offset=-1&x=1`)).json().details).toHaveLength(3);
  });

  test('refuses NUL in a text', async () => {
    const parameter = name === 'outbound' ? 'campaign_name' : 'type';
    expect((await get(`/v1/messages/${name}?${parameter}=a%00b`)).json().error).toContain(
      `${parameter} contains the character U+0000`,
    );
  });

  test('needs a key', async () => {
    expect((await get(`/v1/messages/${name}`, {})).statusCode).toBe(401);
  });

  test('answers 503 when the database is away', async () => {
    outbound.mockRejectedValue(new StorageUnavailable('gone'));
    inbound.mockRejectedValue(new StorageUnavailable('gone'));
    expect((await get(`/v1/messages/${name}`)).statusCode).toBe(503);
  });
});

test.each([
  'to=abc',
  'to=123456',
  'status=arrived',
  'from=447700900123',
])('GET /v1/messages/outbound refuses ?%s', async (query) => {
  expect((await get(`/v1/messages/outbound?${query}`)).statusCode).toBe(400);
});
