import { expect, test } from 'vitest';
import { takeFromLimits } from './limits.ts';
import { type BusinessNumber, NumberRegistry } from './numbers.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';

const NOW = 1_800_000_000_000;
const newNumber = (): BusinessNumber => new NumberRegistry().register({ phoneNumberId: '1' });

function sendMany(
  number: BusinessNumber,
  settings: Settings,
  nowMs: number,
  count: number,
  to?: string,
): readonly unknown[] {
  return Array.from({ length: count }, (_, i) => takeFromLimits(number, to ?? `1555000${1000 + i}`, settings, nowMs));
}

test('a number sends a burst of 80 messages and then 80 per second', () => {
  const number = newNumber();
  expect(sendMany(number, DEFAULT_SETTINGS, NOW, 80).every((code) => code === null)).toBe(true);
  expect(takeFromLimits(number, '15550009999', DEFAULT_SETTINGS, NOW)).toBe(130429);
  const after = sendMany(number, DEFAULT_SETTINGS, NOW + 500, 41);
  expect(after.filter((code) => code === null)).toHaveLength(40);
});

test('a pair takes a burst of 45 messages and then one per 6 seconds', () => {
  const number = newNumber();
  const to = '15550002222';
  expect(sendMany(number, DEFAULT_SETTINGS, NOW, 45, to).every((code) => code === null)).toBe(true);
  expect(takeFromLimits(number, to, DEFAULT_SETTINGS, NOW)).toBe(131056);
  expect(takeFromLimits(number, to, DEFAULT_SETTINGS, NOW + 5_999)).toBe(131056);
  expect(takeFromLimits(number, to, DEFAULT_SETTINGS, NOW + 6_000)).toBeNull();
  expect(takeFromLimits(number, to, DEFAULT_SETTINGS, NOW + 6_001)).toBe(131056);
});

test('a message refused by the pair limit does not use up the number', () => {
  const number = newNumber();
  const settings = { ...DEFAULT_SETTINGS, numberRate: 46 };
  sendMany(number, settings, NOW, 45, '15550002222');
  expect(sendMany(number, settings, NOW, 10, '15550002222').every((code) => code === 131056)).toBe(true);
  expect(takeFromLimits(number, '15550003333', settings, NOW)).toBeNull();
});

test('both limits can be off', () => {
  const settings = { ...DEFAULT_SETTINGS, numberRate: 0, pairLimit: false };
  expect(sendMany(newNumber(), settings, NOW, 1_000, '15550002222').every((code) => code === null)).toBe(true);
});

test('recipients whose bucket is full again are forgotten', () => {
  const number = newNumber();
  const settings = { ...DEFAULT_SETTINGS, numberRate: 0 };
  for (let i = 0; i < 50_000; i++) takeFromLimits(number, String(15550000000 + i), settings, NOW + i * 10);
  expect(number.pairFreeAtMs.size).toBeLessThan(15_000);
});
