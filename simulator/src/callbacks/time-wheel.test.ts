import { expect, test } from 'vitest';
import { seededRng } from '../rng.ts';
import { TimeWheel } from './time-wheel.ts';

const NOW = 1_800_000_000_000;

function drained(wheel: TimeWheel<number>, nowMs: number): readonly number[] {
  const items: number[] = [];
  wheel.drain(nowMs, (item) => items.push(item));
  return items;
}

test('nothing leaves before it is due, and what is overdue leaves with the next drain', () => {
  const wheel = new TimeWheel<number>(5, NOW);
  wheel.add(NOW + 20, 1);
  wheel.add(NOW - 1000, 2);
  expect(drained(wheel, NOW + 5)).toEqual([2]);
  expect(drained(wheel, NOW + 19)).toEqual([]);
  expect(drained(wheel, NOW + 20)).toEqual([1]);
  expect(wheel.size).toBe(0);
});

test('a leap of days hands everything over in order of time', () => {
  const wheel = new TimeWheel<number>(5, NOW);
  for (const days of [3, 1, 2]) wheel.add(NOW + days * 86_400_000, days);
  expect(drained(wheel, NOW + 7 * 86_400_000)).toEqual([1, 2, 3]);
});

test.each([1, 2, 3, 4, 5])('with random times nothing is lost, doubled or early (seed %i)', (seed) => {
  const rng = seededRng(seed);
  const wheel = new TimeWheel<number>(5, NOW);
  const seen = new Set<number>();
  let nowMs = NOW;
  let added = 0;
  for (let round = 0; round < 500; round++) {
    for (let i = 0; i < rng() * 20; i++) {
      added++;
      wheel.add(nowMs + Math.floor(rng() * 400) - 50, added);
    }
    nowMs += Math.floor(rng() * 40);
    for (const item of drained(wheel, nowMs)) {
      expect(seen.has(item)).toBe(false);
      seen.add(item);
    }
  }
  drained(wheel, nowMs + 1000).forEach((item) => void seen.add(item));
  expect(seen.size).toBe(added);
});
