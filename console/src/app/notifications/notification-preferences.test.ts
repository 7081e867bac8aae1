import { expect, test } from 'vitest';
import { isQuiet, readPreferences } from './notification-preferences.ts';

test.each([
  ['22:00', '07:00', '2030-01-01T21:30:00Z', true],
  ['22:00', '07:00', '2030-01-01T06:00:00Z', false],
  ['22:00', '07:00', '2030-01-01T05:59:00Z', true],
  ['12:00', '13:00', '2030-07-01T10:30:00Z', true],
  ['12:00', '13:00', '2030-07-01T11:00:00Z', false],
])('quiet from %s to %s in Berlin, at %s: %s', (from, to, at, expected) => {
  const quiet_hours = { from, to, time_zone: 'Europe/Berlin' };
  expect(isQuiet({ quiet_hours }, new Date(at))).toBe(expected);
});

test('what a person did not choose has its default', () => {
  const {
    kinds,
    sound,
    quiet_hours: hours,
  } = readPreferences({ notifications: { kinds: { assigned: { desktop: false } } } });
  expect([kinds.assigned, kinds.mentioned, kinds.new_message]).toEqual([
    { page: true, desktop: false },
    { page: true, desktop: true },
    { page: false, desktop: false },
  ]);
  expect([sound, hours]).toEqual([true, null]);
});
