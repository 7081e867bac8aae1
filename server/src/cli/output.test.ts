import { expect, test } from 'vitest';
import { type Column, cellText, countOf, shortTime, tableText } from './output.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly count: number;
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', value: (row) => row.id },
  { title: 'COUNT', value: (row) => row.count, align: 'right' },
  { title: 'TEXT', value: (row) => row.text, flexible: true },
];
const row: Row = { id: '0190a6f2', text: 'one two three four five six seven', count: 7 };

test('columns are as wide as their widest cell, and no line ends in blanks', () => {
  expect(tableText(columns, [row, { ...row, text: 'x' }], null)).toBe(
    ['ID        COUNT  TEXT', '0190a6f2      7  one two three four five six seven', '0190a6f2      7  x', ''].join(
      '\n',
    ),
  );
});

test('no line is wider than the terminal, and ids stay whole', () => {
  const lines = tableText(columns, [row], 30).trimEnd().split('\n');
  expect(lines).toEqual(['ID        COUNT  TEXT', '0190a6f2      7  one two thre…']);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
});

test('a terminal that is too narrow for the ids breaks lines instead of ids', () => {
  expect(tableText(columns, [row], 10)).toContain('0190a6f2');
});

test('letters outside the basic plane count as one and are never halved', () => {
  const text = tableText([{ title: 'T', value: () => '😀'.repeat(20), flexible: true }], [row], 12);
  expect(text.split('\n')[1]).toBe(`${'😀'.repeat(11)}…`);
});

test.each([
  ['escape sequences', 'a\u001b[31mb', 'a [31mb'],
  ['line breaks', 'a\r\nb', 'a b'],
  ['overrides of the direction', 'a\u202eb', 'a b'],
  ['C1 controls', 'a\u009bb', 'a b'],
])("a stranger's text cannot steer the terminal: %s", (_label, text, shown) => {
  expect(cellText(text)).toBe(shown);
});

test('what is missing is shown as nothing', () => {
  expect([cellText(null), cellText(undefined), shortTime(null)]).toEqual(['', '', '']);
});

test('times are shown without fractions', () => {
  expect(shortTime('2026-01-31T08:00:00.123Z')).toBe('2026-01-31 08:00:00');
});

test('one thing is singular', () => {
  expect([countOf(1, 'message'), countOf(0, 'message')]).toEqual(['1 message', '0 messages']);
});
