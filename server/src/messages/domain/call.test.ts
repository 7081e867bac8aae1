import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Call, callDirections, callStates, isUnansweredCall, mergeCalls, summarizeCall } from './call.ts';

const ringing: Call = {
  direction: 'user_initiated',
  state: 'ringing',
  started_at: '2030-01-01T09:05:00.000Z',
  answered_at: null,
  ended_at: null,
  duration_seconds: null,
  error: null,
};

const time = fc.integer({ min: 10, max: 59 }).map((second) => `2030-01-01T09:05:${second}.000Z`);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const report: fc.Arbitrary<Call> = fc.record({
  direction: fc.constantFrom(...callDirections),
  state: fc.constantFrom(...callStates),
  started_at: time,
  answered_at: orNull(time),
  ended_at: orNull(time),
  duration_seconds: orNull(fc.nat(9)),
  error: orNull(fc.record({ network_code: orNull(fc.nat(3)), message: fc.constantFrom('', 'No answer.') })),
});

test('in any order and with any repetitions, reports end in the same call', () => {
  const reports = fc.array(report, { minLength: 1, maxLength: 6 }).chain((made) => {
    const shuffled = fc.shuffledSubarray(made, { minLength: made.length });
    return fc.tuple(fc.constant(made), shuffled, fc.subarray(made));
  });
  fc.assert(
    fc.property(reports, ([made, shuffled, again]) => {
      const call = made.reduce(mergeCalls);
      expect([...shuffled, ...again].reduce(mergeCalls)).toEqual(call);
      for (const one of made) expect(mergeCalls(call, one)).toBe(call);
    }),
    { numRuns: 400 },
  );
});

test.each<readonly [changes: Partial<Call>, sentence: string, isUnanswered: boolean]>([
  [{}, 'The customer is calling.', false],
  [{ state: 'missed' }, 'Missed voice call.', true],
  [{ state: 'failed' }, 'Failed voice call.', true],
  [{ state: 'answered' }, 'Voice call.', false],
  [{ state: 'answered', duration_seconds: 0 }, 'Voice call, 0 s.', false],
  [{ state: 'answered', duration_seconds: 133 }, 'Voice call, 2 min 13 s.', false],
  [{ state: 'answered', duration_seconds: 7_500 }, 'Voice call, 2 h 5 min.', false],
  [{ direction: 'business_initiated' }, 'Voice call to the customer, ringing.', false],
  [{ direction: 'business_initiated', state: 'missed' }, 'Voice call to the customer, not answered.', false],
  [{ direction: 'business_initiated', state: 'rejected' }, 'Voice call to the customer, declined.', false],
  [
    { direction: 'business_initiated', state: 'answered', duration_seconds: 59 },
    'Voice call to the customer, 59 s.',
    false,
  ],
])('%j is said plainly, and waits for an answer only if the customer reached nobody', (changes, sentence, isUnanswered) => {
  const call = { ...ringing, ...changes };
  expect([summarizeCall(call), isUnansweredCall(call)]).toEqual([sentence, isUnanswered]);
});
