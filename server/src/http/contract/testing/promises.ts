import { expect } from 'vitest';
import type { Answered } from './contract-client.ts';

/*
 * What the specification and the description of the API promise about answers, in checks of their own.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const uuid = expect.stringMatching(UUID);
export const time = expect.stringMatching(TIME);

/** "202 with exactly {id, status, type, to}"; the number in digits only. */
export function expectAccepted({ status, json }: Answered, type: string, to: string): string {
  expect([status, json]).toEqual([202, { id: uuid, status: 'queued', type, to }]);
  return json.id;
}

/** "{ error: string }", with a code, and for validation the details of all faults. */
export function expectError({ status, json, headers }: Answered, expected: number, code?: string): void {
  expect([status, json]).toEqual([
    expected,
    expect.objectContaining({ error: expect.stringMatching(/\w.*\.$/s), code: expect.stringMatching(/^[a-z_]+$/) }),
  ]);
  expect(Object.keys(json).filter((name) => !['error', 'code', 'details'].includes(name))).toEqual([]);
  if (code !== undefined) expect(json.code).toBe(code);
  expect(headers.get('x-request-id')).toBeTruthy();
  if (expected === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
  if (expected === 405) expect(headers.get('allow')).toBeTruthy();
  if (expected === 429 || expected === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

/** "{data, page: {limit, offset, has_more, next_cursor}}". */
export function expectPage({ status, json, headers }: Answered): readonly { readonly id: string }[] {
  expect(status).toBe(200);
  expect(json).toEqual({
    data: expect.any(Array),
    page: {
      limit: expect.any(Number),
      offset: expect.any(Number),
      has_more: expect.any(Boolean),
      next_cursor: cursorOf(json),
    },
  });
  expect(json.data.length).toBeLessThanOrEqual(json.page.limit);
  expect(headers.get('link') ?? 'none').toMatch(json.page.has_more ? /^<\/v1\/.*>; rel="next"$/ : /^none$/);
  return json.data;
}

function cursorOf(json: Answered['json']): unknown {
  return json.page?.has_more ? expect.any(String) : null;
}

/** The members that every message has, outbound or inbound. */
export function expectMessage(message: Answered['json'], direction: 'outbound' | 'inbound'): void {
  expect(message).toMatchObject({
    id: uuid,
    direction,
    type: expect.any(String),
    to: expect.stringMatching(/^\d{7,15}$/),
    from: expect.stringMatching(/^\d{7,15}$/),
    phone_number_id: expect.stringMatching(/^\d+$/),
    created_at: time,
  });
  if (direction === 'inbound') return;
  expect(['queued', 'sending', 'sent', 'failed']).toContain(message.status);
  expect(['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'unknown']).toContain(message.delivery.state);
  const optionalTimes = ['accepted_at', 'sent_at', 'delivered_at', 'read_at', 'failed_at', 'next_attempt_at'];
  for (const name of optionalTimes) expect(message.delivery[name] ?? '2030-01-01T00:00:00.000Z').toMatch(TIME);
  expect(message.delivery.attempts).toBeGreaterThanOrEqual(0);
}

/** "integer minor units or micros with currency (ISO 4217), never a float". */
export function expectMoney(amounts: readonly unknown[], currency: unknown): void {
  for (const amount of amounts) expect(Number.isSafeInteger(amount)).toBe(true);
  expect(currency).toMatch(/^[A-Z]{3}$/);
}
