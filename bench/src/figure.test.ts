import { expect, test } from 'vitest';
import { atLeast, atMost, between, makeFigure, missedBy, noLimit, round } from './figure.ts';

const base = { name: 'f', database: 'postgres', unit: 'ms', yardstick: { name: 'y', value: 10 }, detail: {} } as const;

test('a figure is evaluated by its limit and compared with its yardstick', () => {
  expect(makeFigure({ ...base, value: 20, limit: atMost(25) })).toMatchObject({ pass: true, ratio: 2, yardstick: 'y' });
  expect(makeFigure({ ...base, value: 20, limit: atLeast(25) }).pass).toBe(false);
  expect(makeFigure({ ...base, value: 20, limit: between(19, 21) }).pass).toBe(true);
});

test('a further condition that does not hold fails a figure that reached its limit', () => {
  expect(makeFigure({ ...base, value: 20, limit: atMost(25) }, false).pass).toBe(false);
});

test('a figure without a limit is neither passed nor failed', () => {
  expect(makeFigure({ ...base, value: 20, limit: noLimit }).pass).toBeNull();
});

test('what is missed is reported with its unit and share, on either side of a range', () => {
  expect(missedBy({ value: 30, limit: atMost(25), unit: 'ms' })).toBe('missed by 5 ms (20 %)');
  expect(missedBy({ value: 90, limit: between(95, 100), unit: '%' })).toBe('missed by 5 % (5 %)');
  expect(missedBy({ value: 110, limit: between(95, 100), unit: '%' })).toBe('missed by 10 % (10 %)');
  expect(missedBy({ value: 20, limit: atMost(25), unit: 'ms' })).toBe('');
});

test('numbers are rounded for reading', () => {
  expect([round(12_345.6), round(0.123456), round(12.345)]).toEqual(['12346', '0.123', '12.3']);
});
