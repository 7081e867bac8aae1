import { expect, test } from 'vitest';
import { stripValues } from './strip-values.ts';

function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { severity: 'ERROR', code, detail: 'Key (phone)=(447700900123) exists.' });
}

test.each([
  ['22008', 'date/time field value out of range: "SECRET "quoted" text"', 'date/time field value out of range: "…"'],
  ['22P02', 'invalid input syntax for type json "a\nSECRET"', 'invalid input syntax for type json "…"'],
  ['23505', 'duplicate key value violates unique constraint "contacts_phone"', null],
])('an error %s of the database keeps its sentence and no value', (code, message, expected) => {
  const stripped = stripValues(databaseError(code, message));
  expect(stripped.message).toBe(expected ?? message);
  expect(JSON.stringify([stripped.stack, stripped])).not.toMatch(/SECRET|447700900123/);
});

test('other errors stay as they are', () => {
  expect(stripValues(new Error('He said "no".')).message).toBe('He said "no".');
});
