import { describe, expect, test } from 'vitest';
import { isQuietAt, notificationPreferencesFault, readNotificationPreferences } from './notification-preferences.ts';

test('what a person did not choose has its default, and what they chose stays beside it', () => {
  const chosen = readNotificationPreferences({
    notifications: { kinds: { assigned: { desktop: false } }, sound: false },
  });
  expect(chosen.kinds.assigned).toEqual({ page: true, desktop: false });
  expect([chosen.kinds.mentioned.desktop, chosen.kinds.new_message.page, chosen.sound]).toEqual([true, false, false]);
  expect(readNotificationPreferences(undefined)).toMatchObject({ sound: true, quietHours: null });
});

test.each([
  ['22:00', '07:00', 'Europe/Berlin', '2030-01-01T21:00:00Z', true],
  ['22:00', '07:00', 'Europe/Berlin', '2030-01-01T20:59:59Z', false],
  ['22:00', '07:00', 'Europe/Berlin', '2030-01-02T05:59:59Z', true],
  ['22:00', '07:00', 'Europe/Berlin', '2030-01-02T06:00:00Z', false],
  ['22:00', '07:00', 'Europe/Berlin', '2030-07-01T20:00:00Z', true],
  ['12:00', '13:00', 'Asia/Kolkata', '2030-01-01T06:30:00Z', true],
  ['12:00', '13:00', 'Asia/Kolkata', '2030-01-01T07:30:00Z', false],
])('quiet hours from %s to %s in %s hold at %s: %s', (from, to, timeZone, at, isQuiet) => {
  expect(isQuietAt({ quietHours: { from, to, timeZone } }, Date.parse(at))).toBe(isQuiet);
});

describe('preferences are refused', () => {
  test.each([
    ['that are no object', 'loud', ''],
    ['with a field that is not known', { volume: 11 }, '.volume'],
    ['with a sound that is not true or false', { sound: 'ping' }, '.sound'],
    ['with a text that is not true or false', { push_text: 1 }, '.push_text'],
    ['with a kind that is not known', { kinds: { birthday: {} } }, '.kinds.birthday'],
    ['with a channel that is not known', { kinds: { assigned: { fax: true } } }, '.kinds.assigned.fax'],
    ['with half of the quiet hours', { quiet_hours: { from: '22:00' } }, '.quiet_hours.to'],
    [
      'with a time that no clock shows',
      { quiet_hours: { from: '24:00', to: '07:00', time_zone: 'UTC' } },
      '.quiet_hours.from',
    ],
    [
      'with a zone that does not exist',
      { quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/Base' } },
      '.quiet_hours.time_zone',
    ],
  ])('%s', (_name, given, at) => {
    expect(notificationPreferencesFault(given as never)?.at).toBe(at);
  });

  test('and whole ones are taken', () => {
    const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };
    const kinds = { new_message: { page: true, desktop: true } };
    expect(notificationPreferencesFault({ kinds, quiet_hours, sound: true, push_text: true })).toBeNull();
    expect(notificationPreferencesFault({ quiet_hours: null })).toBeNull();
  });
});
