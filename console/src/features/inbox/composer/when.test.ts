import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf, parseWhen, wallTime, zoneOfCountry } from './when.ts';

/** A Tuesday, 15:20 in Berlin. */
const NOW = Date.parse('2030-01-01T14:20:00.000Z');
const BERLIN = 'Europe/Berlin';

test.each([
  ['tomorrow 9', '2030-01-02T08:00:00.000Z'],
  ['tomorrow', '2030-01-02T08:00:00.000Z'],
  ['Tomorrow at 14:30', '2030-01-02T13:30:00.000Z'],
  ['18', '2030-01-01T17:00:00.000Z'],
  ['9', '2030-01-02T08:00:00.000Z'],
  ['9pm', '2030-01-01T20:00:00.000Z'],
  ['12 am', '2030-01-01T23:00:00.000Z'],
  ['friday 8.15', '2030-01-04T07:15:00.000Z'],
  ['tue', '2030-01-08T08:00:00.000Z'],
  ['tue 16', '2030-01-01T15:00:00.000Z'],
  ['in 2 hours', '2030-01-01T16:20:00.000Z'],
  ['in 45 min', '2030-01-01T15:05:00.000Z'],
  ['in 3 days', '2030-01-04T14:20:00.000Z'],
])('"%s" is understood', (text, at) => {
  expect(new Date(parseWhen(text, NOW, BERLIN) ?? 0).toISOString()).toBe(at);
});

test.each([
  '',
  ' ',
  'soon',
  'tomorrow 25',
  '9:75',
  '13pm',
  'in two hours',
  'to 9',
  'tomorrow 9 please',
])('"%s" is not guessed at', (text) => {
  expect(parseWhen(text, NOW, BERLIN)).toBeNull();
});

test('a time on the clocks of a zone and its instant lead to each other, whatever the clocks do', () => {
  const zones = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC');
  const minutes = fc.integer({ min: Date.parse('2026-01-01') / 60_000, max: Date.parse('2032-01-01') / 60_000 });
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const wall = wallTime(minute * 60_000, zone);
      expect(wallTime(instantOf(wall, zone), zone)).toEqual(wall);
    }),
  );
});

test('a country with one time has a zone, one with several has none', () => {
  expect(zoneOfCountry('US', NOW)).toBeNull();
  expect(zoneOfCountry(null, NOW)).toBeNull();
  expect(zoneOfCountry('no country', NOW)).toBeNull();
});
