import { expect, test } from 'vitest';
import { ApiProblem } from '#core/errors';
import { fakeApi } from '#http/testing/fake-api';
import { good, post } from '#http/testing/post-message';
import { silentLog } from '#runtime/log';
import { TestClock, testRuntime } from '#testing/test-runtime';

test('an overload costs one line of the log a second, which says how many were refused', async () => {
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (line: unknown) => void lines.push(line) } as typeof silentLog;
  const clock = new TestClock();
  const api = fakeApi({ rt: testRuntime({ apiRate: 0, apiTenantRate: 0 }, clock, undefined, log) });
  api.answerWith(() => Promise.reject(new ApiProblem('overloaded')));
  for (let time = 0; time < 50; time += 1) await post(api, good);
  clock.advance(1_000);
  await post(api, good);
  expect(lines).toMatchObject([
    { code: 'overloaded', refused: 1 },
    { code: 'overloaded', refused: 50 },
  ]);
});
