import { describe, expect, test } from 'vitest';
import { notificationPreferencesFault, readNotificationPreferences } from './notification-preferences.ts';

test('what a person did not choose has its default, and what they chose stays beside it', () => {
  const chosen = readNotificationPreferences({
    notifications: { kinds: { assigned: { desktop: false } }, sound: false },
  });
  expect(chosen.kinds.assigned).toEqual({ page: true, desktop: false });
  expect([chosen.kinds.mentioned.desktop, chosen.kinds.new_message.page, chosen.sound]).toEqual([true, false, false]);
  expect(readNotificationPreferences(undefined)).toMatchObject({ sound: true, quietHours: null });
});

describe('preferences are refused', () => {
  test.each([
    ['that are no object', 'loud', ''],
    ['with a field that is not known', { volume: 11 }, '.volume'],
    ['with a sound that is not true or false', { sound: 'ping' }, '.sound'],
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
    expect(notificationPreferencesFault({ kinds, quiet_hours, sound: true })).toBeNull();
    expect(notificationPreferencesFault({ quiet_hours: null })).toBeNull();
  });
});
