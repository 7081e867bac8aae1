import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakerReason, isBad, noteOutcomes } from './campaign-breaker.ts';

test.each([
  [null, false],
  ['template_not_found', true],
  ['template_parameter_count', true],
  ['attempts_exhausted', true],
  ['recipient_unreachable', false],
  ['contact_opted_out', false],
  ['canceled', false],
  ['variable_missing', false],
])('the outcome %s speaks against the campaign: %s', (code, bad) => {
  expect(isBad(code)).toBe(bad);
});

test('a failure after the message had left takes the place of a good outcome, so that it counts whole', () => {
  expect(noteOutcomes('ooo', [{ bad: true, late: true }], 200)).toBe('oox');
  expect(noteOutcomes('xx', [{ bad: true, late: true }], 200)).toBe('xxx');
  expect(noteOutcomes('ooo', [{ bad: false, late: true }], 200)).toBe('ooo');
});

test('only the last outcomes count, however many there were', () => {
  const outcome = fc.record({ bad: fc.boolean(), late: fc.constant(false) });
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (outcomes, of) => {
      const expected = outcomes.map(({ bad }) => (bad ? 'x' : 'o')).slice(-of);
      expect(noteOutcomes('', outcomes, of)).toBe(expected.join(''));
    }),
  );
});

test('it trips above the share and not at it, never on few outcomes, and never when it is off', () => {
  const outcomes = (bad: number, good: number) => 'x'.repeat(bad) + 'o'.repeat(good);
  const half = { percent: 50, of: 200 };
  expect(breakerReason(outcomes(10, 10), half)).toBeNull();
  expect(breakerReason(outcomes(11, 9), half)).toMatch(/Of the last 20 messages, 11 failed/);
  expect(breakerReason(outcomes(19, 0), half)).toBeNull();
  expect(breakerReason(outcomes(200, 0), null)).toBeNull();
});
