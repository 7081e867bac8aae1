import { expect, test } from 'vitest';
import { readRecipient } from './recipient-row.ts';

const read = (values: Record<string, string | number>, mapping: Record<string, string> | null = null) =>
  readRecipient({ values }, mapping);

test('columns are called like the variables, or mapped to them; the others and empty cells are not there', () => {
  expect(read({ to: '+44 7700 900123', code: ' A1 ', 'Full name': 'Ada', city: '' })).toEqual({
    ok: true,
    recipient: { phone: '447700900123', variables: { code: 'A1' } },
  });
  expect(read({ Mobile: 447700900123, Voucher: 'B2', code: 'x' }, { Mobile: 'to', Voucher: 'code' })).toEqual({
    ok: true,
    recipient: { phone: '447700900123', variables: { code: 'B2' } },
  });
  expect(read({ phone: '447700900123' })).toEqual({
    ok: true,
    recipient: { phone: '447700900123', variables: null },
  });
});

test.each([
  [{ code: 'A' }, /no number/],
  [{ to: '12' }, /^to .*digits/],
  [{ to: '447700900123', code: '\uFFFD' }, /UTF-8/],
  [{ to: '447700900123', code: 'x'.repeat(1_025) }, /code is longer/],
])('a row that cannot be one says why: %j', (values, reason) => {
  expect(read(values)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
});
