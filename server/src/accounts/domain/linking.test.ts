import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transferFailure } from '#core/network/transfer-failure';
import {
  type AccountStatus,
  accountStatus,
  accountTransitions,
  findStep,
  firstSteps,
  type LinkStep,
  linkStepNames,
  ownError,
  pendingStep,
  stepError,
  withAttempt,
  withPending,
} from './linking.ts';

const RUN_MS = 90_000;
const NOW_MS = 1_000_000;

/** An account as linking moves it; only what the code allows is done to it. */
interface Model {
  readonly steps: readonly LinkStep[];
  readonly runUntilMs: number;
  readonly replacedMs: number | null;
}

type Move = (model: Model) => Model;

const hasToken = ({ steps }: Model) => findStep(steps, 'exchange', null).state === 'done';
const isAlive = ({ runUntilMs }: Model) => runUntilMs > NOW_MS;
const attempt = (name: LinkStep['name'], isDone: boolean): Move => {
  return (model) => {
    if (!isAlive(model) || (name !== 'exchange' && !hasToken(model))) return model;
    const error = isDone ? null : ownError('permission_incomplete');
    return { ...model, steps: withAttempt(model.steps, { name, target: null, error, atMs: NOW_MS }) };
  };
};
const end: Move = (model) => ({ ...model, runUntilMs: NOW_MS });
/** Like the statements that take and replace: both require a token and that no other process is at work. */
const take: Move = (model) =>
  isAlive(model) || !hasToken(model) || model.replacedMs !== null ? model : { ...model, runUntilMs: NOW_MS + RUN_MS };
const replace: Move = (model) => (isAlive(model) || !hasToken(model) ? model : { ...model, replacedMs: NOW_MS });

const moves = fc.oneof(
  fc.constantFrom<Move>(end, take, replace),
  fc.tuple(fc.constantFrom(...linkStepNames), fc.boolean()).map(([name, isDone]) => attempt(name, isDone)),
);

test('any sequence of actions on an account moves its status along the arrows of the table alone', () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 40 }), (sequence) => {
      let model: Model = { steps: firstSteps(), runUntilMs: NOW_MS + RUN_MS, replacedMs: null };
      let status: AccountStatus = accountStatus(model, NOW_MS);
      expect(status).toBe('linking');
      for (const move of sequence) {
        model = move(model);
        const next = accountStatus(model, NOW_MS);
        if (next !== status) expect(accountTransitions[status]).toContain(next);
        status = next;
      }
    }),
  );
});

describe('steps', () => {
  test('an attempt counts, and keeps every other step and the order', () => {
    const before = withPending(firstSteps(), [pendingStep('subscribe', '1'), pendingStep('subscribe', '2')]);
    const error = ownError('permission_incomplete');
    const failed = withAttempt(before, { name: 'subscribe', target: '1', error, atMs: 1 });
    const done = withAttempt(failed, { name: 'subscribe', target: '1', error: null, atMs: 2 });
    expect(done.map(({ name, target }) => [name, target])).toEqual(before.map(({ name, target }) => [name, target]));
    expect(findStep(failed, 'subscribe', '1')).toMatchObject({ state: 'failed', attempts: 1, atMs: 1, error });
    expect(findStep(done, 'subscribe', '1')).toMatchObject({ state: 'done', attempts: 2, atMs: 2, error: null });
    expect(findStep(done, 'subscribe', '2')).toEqual(pendingStep('subscribe', '2'));
  });

  test('a step that is known already stays as it is', () => {
    const done = withAttempt(firstSteps(), { name: 'exchange', target: null, error: null, atMs: 1 });
    expect(withPending(done, firstSteps())).toEqual(done);
  });

  test.each([
    [400, { error: { code: 100, message: 'Bad code.' } }, 'network_refused', 100, false],
    [401, { error: { code: 190, message: 'Expired.' } }, 'network_refused', 190, true],
    [503, { error: { code: 2, message: 'Down.' } }, 'network_refused', 2, true],
    [502, {}, 'network_unreachable', null, true],
  ])('an answer of %d with %j is %s', (status, body, code, networkCode, retryable) => {
    const error = stepError(transferFailure(status, JSON.stringify(body), undefined));
    expect(error).toMatchObject({ code, networkCode, retryable });
    expect(error.message).toMatch(/\S/);
  });
});
