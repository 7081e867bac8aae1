import { describe, expect, test } from 'vitest';
import type { WebhookAttempt } from './webhook.ts';
import { evaluateWebhook, readWebhookRetryAfter, WEBHOOK_WAITS_MS } from './webhook-schedule.ts';

const [SECOND, HOUR] = [1000, 3_600_000];
const NOW = Date.UTC(2026, 0, 1);

function answered(status: number | null): WebhookAttempt {
  const error = status === null ? 'timeout' : status < 300 ? null : 'status';
  return { atMs: NOW, durationMs: 5, status, error, detail: null, response: null };
}

function decide(attempts: number, status: number | null, retryAfterMs: number | null = null, random = 0.5) {
  return evaluateWebhook({ attempt: answered(status), attempts, retryAfterMs, nowMs: NOW, random: () => random });
}

describe('an attempt', () => {
  test('is repeated after 5 s, 30 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then given up', () => {
    const waits = WEBHOOK_WAITS_MS.map((_wait, index) => {
      const verdict = decide(index + 1, 500);
      return verdict.kind === 'again' ? (verdict.dueMs - NOW) / SECOND : verdict.kind;
    });
    const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * 3600);
    expect(waits).toEqual([5, 30, 300, 1800, ...hours, 'given_up']);
    const total = WEBHOOK_WAITS_MS.reduce((sum, wait) => sum + wait, 0);
    expect(total / HOUR).toBeCloseTo(75.6, 1);
  });

  test('waits up to a tenth longer or shorter', () => {
    const wait = (random: number) => {
      const verdict = decide(1, null, null, random);
      return verdict.kind === 'again' ? verdict.dueMs - NOW : null;
    };
    expect([wait(0), wait(0.5), wait(1)]).toEqual([4_500, 5_000, 5_500]);
  });

  test.each([200, 201, 204, 299])('answered with %i has delivered', (status) => {
    expect(decide(1, status)).toEqual({ kind: 'delivered' });
  });

  test('answered with 410 wants nothing more', () => {
    expect(decide(1, 410)).toEqual({ kind: 'gone' });
  });

  test.each([429, 502, 503, 504])('answered with %i lets the endpoint rest, for as long as it asks', (status) => {
    expect(decide(1, status, 60_000)).toEqual({ kind: 'again', dueMs: NOW + 60_000, restUntilMs: NOW + 60_000 });
    expect(decide(1, status)).toMatchObject({ restUntilMs: NOW + 5_000 });
    expect(decide(1, status, 100 * HOUR)).toMatchObject({ restUntilMs: NOW + 24 * HOUR });
    // The schedule is the least.
    expect(decide(4, status, 1_000)).toMatchObject({ dueMs: NOW + 30 * 60_000 });
  });

  test('that failed otherwise delays no delivery, whatever Retry-After says', () => {
    expect(decide(1, 500, 60_000)).toEqual({ kind: 'again', dueMs: NOW + 5_000, restUntilMs: null });
  });
});

test.each([
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', null],
  [undefined, null],
])('Retry-After "%s" asks for %s ms', (header, expected) => {
  expect(readWebhookRetryAfter(header, NOW)).toBe(expected);
});
