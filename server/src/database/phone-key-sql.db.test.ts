import { afterAll, beforeAll, expect, test } from 'vitest';
import { phoneKey, phoneSpellings } from '#core/phone/phone-key';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { otherSpellingSql, phoneKeySql } from './phone-key-sql.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());

const NUMBERS = [
  ...['551187654321', '5511987654321', '551137654321', '5501987654321', '55119876543210'],
  ...['5215512345678', '525512345678', '521551234567', '52155123456789'],
  ...['5491123456789', '541123456789', '549112345678', '447700900123', '15550001111'],
];

test('statements know the same keys and spellings of numbers as the code does', async () => {
  const text = `select n, ${phoneKeySql('n')} as key, ${otherSpellingSql('n')} as other from unnest($1::text[]) n`;
  const { rows } = await database.db.run<{ n: string; key: string; other: string }>({ name: 'test_keys', text }, [
    NUMBERS,
  ]);
  expect(rows.map(({ n, key }) => [n, key])).toEqual(NUMBERS.map((n) => [n, phoneKey(n)]));
  const keys = rows.filter(({ n, key }) => n === key);
  expect(keys.map(({ n, other }) => [n, other])).toEqual(keys.map(({ n }) => [n, phoneSpellings(n).at(-1)]));
});
