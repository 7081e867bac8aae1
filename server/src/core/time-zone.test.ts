import { expect, test } from 'vitest';
import { openZone } from './time-zone.ts';

const SECOND = 1000;

test.each([
  ['Europe/Berlin', '2026-07-01T00:00:00Z', 7200],
  ['Europe/Berlin', '2026-01-01T00:00:00Z', 3600],
  // Before there were zones each place had the time of its sun.
  ['Europe/Berlin', '0050-06-01T12:00:00Z', 3208],
  ['Europe/Berlin', '0100-01-01T00:00:00Z', 3208],
  // There it is still the year before the first.
  ['America/New_York', '0001-01-01T00:00:00Z', -17_762],
  ['America/New_York', '1969-12-31T23:59:59.500Z', -18_000],
])('%s is as far from UTC at %s as its clocks say', (name, at, seconds) => {
  expect(openZone(name)?.offsetAt(Date.parse(at))).toBe(seconds * SECOND);
});

test.each(['', '+05:30', 'Nowhere/Nothing', 'x'.repeat(65)])('the time zone %j does not exist', (name) => {
  expect(openZone(name)).toBeNull();
});
