import { describe, expect, test } from 'vitest';
import { type PushedNotification, pushPayload, pushTopic } from './push.ts';
import { evaluatePush, PUSH_LIFETIME_MS } from './push-outcome.ts';

const notification: PushedNotification = {
  notificationId: '0190a6fc-1111-7222-8333-444455556666',
  kind: 'new_message',
  conversationId: '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f',
  customer: 'Ada',
  who: 'Ben',
  text: 'Hi',
  unread: 1,
  createdMs: 0,
};
/** What is left of 4,096 bytes when the header, the tag and the delimiter of the one record are taken away. */
const MAX_PLAIN_BYTES = 3_993;

describe('what is pushed', () => {
  test.each(['\u0001', '\ud83d', '漢', '👩‍👩‍👧', '"'])('fits, whatever the texts are: %j', (character) => {
    const long = character.repeat(2_000);
    const payload = pushPayload({ ...notification, customer: long, who: long, text: long });
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_PLAIN_BYTES);
  });

  test('has a text that ends in whole characters', () => {
    const { text } = JSON.parse(pushPayload({ ...notification, text: `a${'👋'.repeat(200)}` }));
    expect(text).toBe(`a${'👋'.repeat(99)}…`);
  });

  test('has the conversation as its topic, in the 32 characters that push services take', () => {
    expect(pushTopic(notification)).toBe('0190a6f28c207a118f000a1b2c3d4e5f');
    expect(pushTopic({ ...notification, conversationId: null })).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('an answer', () => {
  const evaluate = (status: number | null, fields: object = {}) =>
    evaluatePush({
      ...{ answer: { status, isRefused: false, retryAfterMs: null }, attempts: 1, createdMs: 0, nowMs: 1_000 },
      ...{ random: () => 0, ...fields },
    });

  test.each([200, 201, 202, 204])('%i ends it well', (status) => {
    expect(evaluate(status)).toEqual({ kind: 'sent' });
  });

  test.each([404, 410])('%i ends the subscription', (status) => {
    expect(evaluate(status)).toEqual({ kind: 'gone' });
  });

  test.each([301, 400, 401, 403, 413])('%i ends the push alone', (status) => {
    expect(evaluate(status)).toEqual({ kind: 'given_up' });
  });

  test.each([429, 500, 503, null])('%s lets it be tried again, later each time', (status) => {
    const waits = [1, 2, 3, 4].map((attempts) => evaluate(status, { attempts }));
    expect(waits).toEqual([11_000, 61_000, 301_000, 1_801_000].map((dueMs) => ({ kind: 'again', dueMs })));
    expect(evaluate(status, { attempts: 5 })).toEqual({ kind: 'given_up' });
  });

  test('that asks for a longer rest gets it, unless it would come too late', () => {
    const resting = (retryAfterMs: number) =>
      evaluate(429, { answer: { status: 429, isRefused: false, retryAfterMs } });
    expect(resting(600_000)).toEqual({ kind: 'again', dueMs: 601_000 });
    expect(resting(PUSH_LIFETIME_MS)).toEqual({ kind: 'given_up' });
  });

  test('that never came because the address is refused is none to ask for again', () => {
    expect(evaluate(null, { answer: { status: null, isRefused: true, retryAfterMs: null } })).toEqual({
      kind: 'given_up',
    });
  });
});
