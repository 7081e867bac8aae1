import { describe, expect, test } from 'vitest';
import { TestClock } from '#testing/test-runtime';
import { WorkHealth } from './work-health.ts';

function healthAfter(failures: number) {
  const clock = new TestClock();
  const health = new WorkHealth(clock);
  for (let failed = 0; failed < failures; failed += 1) health.failed('accept', 'Full.');
  return { clock, health };
}

describe('work', () => {
  test('that failed several times in a row is failing, with the last reason', () => {
    const { health } = healthAfter(2);
    expect(health.failing()).toEqual([]);
    health.failed('accept', 'Still full.');
    expect(health.failing()).toEqual([{ work: 'accept', sentence: 'Still full.' }]);
  });

  test('that succeeded once is healthy, and each kind of work is assessed separately', () => {
    const { health } = healthAfter(5);
    health.succeeded('settle');
    expect(health.failing()).toHaveLength(1);
    health.succeeded('accept');
    expect(health.failing()).toEqual([]);
  });

  test('without a result for a long time is tried again', () => {
    const { clock, health } = healthAfter(5);
    clock.advance(9_000);
    expect(health.failing()).toHaveLength(1);
    clock.advance(2_000);
    expect(health.failing()).toEqual([]);
  });
});
