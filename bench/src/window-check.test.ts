import { expect, test } from 'vitest';
import { worstWindow } from './window-check.ts';

const LIMIT = { burst: 2, ratePerSecond: 10 };

test('an even stream at the rate stays within every window', () => {
  const times = Array.from({ length: 100 }, (_, i) => i * 100);
  expect(worstWindow(times, 1_000, LIMIT)).toEqual({ windowMs: 1_000, fromMs: 0, count: 10, allowed: 12 });
});

test('a burst in the middle is found although the mean is far below the rate', () => {
  const times = [0, 5_000, ...Array.from({ length: 15 }, (_, i) => 7_777 + i), 20_000];
  expect(worstWindow(times, 1_000, LIMIT)).toMatchObject({ fromMs: 7_777, count: 15, allowed: 12 });
});

test('a burst that straddles two fixed seconds is found', () => {
  const times = [...Array.from({ length: 8 }, (_, i) => 900 + i), ...Array.from({ length: 8 }, (_, i) => 1_000 + i)];
  expect(worstWindow(times, 1_000, LIMIT)?.count).toBe(16);
});

test('the end of a window does not belong to it', () => {
  expect(worstWindow([0, 1_000], 1_000, LIMIT)?.count).toBe(1);
});

test('the order of the times does not matter, and no time gives no window', () => {
  expect(worstWindow([300, 100, 200], 1_000, LIMIT)?.count).toBe(3);
  expect(worstWindow([], 1_000, LIMIT)).toBeNull();
});
