import { describe, expect, test } from 'vitest';
import { deliveryErrors } from '#core/delivery-errors';
import { apiErrors } from '#core/errors';
import { fallbackErrorRules, NO_NETWORK_CODE, networkErrorRules, ruleForNetworkError } from './network-errors.ts';

const everyRule = [...networkErrorRules, ...Object.values(fallbackErrorRules)];

describe('the table', () => {
  test('codes and slugs are unique, and the codes ascend', () => {
    const codes = networkErrorRules.map((rule) => rule.networkCode);
    expect(codes).toEqual([...new Set(codes)].toSorted((one, other) => one - other));
    expect(new Set(everyRule.map((rule) => rule.code)).size).toBe(everyRule.length);
  });

  test('slugs are slugs and do not mean something else among our own delivery errors', () => {
    for (const { code } of everyRule) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(Object.keys(deliveryErrors)).not.toContain(code);
    }
  });

  test('slugs shared with the API mean the same there', () => {
    const shared = everyRule.map((rule) => rule.code).filter((code) => code in apiErrors);
    expect(shared.toSorted()).toEqual(['recipient_opted_out', 'template_paused', 'window_closed']);
  });

  test('each has a different public sentence that shows no code and names no company', () => {
    for (const { sentence } of networkErrorRules) expect(sentence).toMatch(/^[A-Z][^#]{20,120}\.$/);
    for (const { sentence } of everyRule) expect(sentence).not.toMatch(/\d{3,}|Meta|WhatsApp/);
  });
});

describe('the sets that senders in production use', () => {
  const classOf = (networkCode: number): string => ruleForNetworkError(networkCode, 400).retryClass;

  test.each([4, 17, 613, 80007, 80008, 130429, 131048, 132069])('%d slows the number down', (code) => {
    expect(classOf(code)).toBe('rate');
  });

  test.each([131049, 132015, 133016])('%d waits a day', (code) => {
    expect(classOf(code)).toBe('later');
  });

  test.each([0, 3, 10, 104, 190, 200, 250, 299, 131005, 131042, 133010])('%d stops the number and alerts', (code) => {
    expect(ruleForNetworkError(code, 400)).toMatchObject({ retryClass: 'auth', alert: true });
  });

  test.each([
    368, 130497, 131031, 131047, 131050, 131026, 132000, 132001, 100, 131051, 137000,
  ])('%d is never sent again', (code) => {
    expect(classOf(code)).toBe('never');
  });

  test.each([2, 131000, 131016, 133004])('%d is tried again with growing waits', (code) => {
    expect(classOf(code)).toBe('transient');
  });

  test.each([1, 131053, 135000])('%d is tried once more', (code) => {
    expect(classOf(code)).toBe('transient_once');
  });

  test('a pair limit holds back one recipient, maintenance the number for a minute', () => {
    expect(classOf(131056)).toBe('pair_rate');
    expect(classOf(131057)).toBe('maintenance');
  });

  test('restrictions for spam or policy alert a person, ordinary refusals do not', () => {
    for (const code of [131048, 368, 131031]) expect(ruleForNetworkError(code, 400).alert).toBe(true);
    for (const code of [131047, 131026, 131049, 130429]) expect(ruleForNetworkError(code, 400).alert).toBe(false);
  });
});

test.each<[number | null, number | null, string, number, string]>([
  [131026, 500, 'never', 131026, 'a known code beats the status'],
  [131000, 200, 'transient', 131000, 'a known code needs no error status'],
  [123456, 429, 'rate', 123456, 'unknown with 429'],
  [123456, 503, 'transient', 123456, 'unknown with 5xx'],
  [123456, 400, 'never', 123456, 'unknown with 4xx'],
  [123456, null, 'never', 123456, 'unknown in a failed status'],
  [199, 403, 'never', 199, 'just below the permission codes'],
  [300, 403, 'never', 300, 'just above the permission codes'],
  [294, 400, 'auth', 294, 'a permission code of the range'],
  [null, 429, 'rate', NO_NETWORK_CODE, 'no code with 429'],
  [null, 502, 'transient', NO_NETWORK_CODE, 'no code with a gateway error'],
  [null, 404, 'never', NO_NETWORK_CODE, 'no code with 4xx'],
  [null, null, 'never', NO_NETWORK_CODE, 'nothing at all'],
])('code %j with status %j is %s, as %d: %s', (code, status, retryClass, networkCode) => {
  expect(ruleForNetworkError(code, status)).toMatchObject({ retryClass, networkCode });
});
