import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePhone } from './phone.ts';

test.each([
  ['15550002222', '15550002222'],
  ['+15550002222', '15550002222'],
  ['0015550002222', '15550002222'],
  ['00 1 (555) 000-2222', '15550002222'],
  ['+1 [555] 000-2222', '15550002222'],
  ['  +49 30 1234567 ', '49301234567'],
  ['(+1) 555 000 2222', '15550002222'],
  ['1234567', '1234567'],
  ['123456789012345', '123456789012345'],
  ['0 0 1234567', '1234567'],
])('%j is the number %s', (input, phone) => {
  expect(parsePhone(input)).toEqual({ ok: true, phone });
});

test.each([
  ['', 'is empty'],
  [' ()-', 'is empty'],
  ['+', 'has 0 digits; a number has 7 to 15'],
  ['7', 'has 1 digit; a number has 7 to 15'],
  ['123456', 'has 6 digits; a number has 7 to 15'],
  ['00123456', 'has 6 digits; a number has 7 to 15'],
  ['1234567890123456', 'has 16 digits; a number has 7 to 15'],
  ['0301234567', 'starts with 0; write it with its country code'],
  ['+0301234567', 'starts with 0; write it with its country code'],
  ['+0015550002222', 'starts with 0; write it with its country code'],
  ['000301234567', 'starts with 0; write it with its country code'],
  ['1555CALLNOW', 'contains letters'],
  ['1555000é', 'contains letters'],
  ['1+5550002222', 'contains a + that is not at its start'],
  ['++15550002222', 'contains a + that is not at its start'],
  ['+00+15550002222', 'contains a + that is not at its start'],
  ['1.555.000.2222', 'contains "."'],
  ['1555000/2222', 'contains "/"'],
  ['١٥٥٥٠٠٠٢٢٢٢', 'contains digits other than 0 to 9'],
  ['1555000222２', 'contains digits other than 0 to 9'],
  ['1555000\u00002222', 'contains characters that are not digits'],
  ['1555000\t2222', 'contains characters that are not digits'],
  ['1555000\u00a02222', 'contains characters that are not digits'],
  ['15550002222\n', 'contains characters that are not digits'],
  ['+ 1 5 5 5 0 0 0 2 2 2 2                  ', 'is longer than 40 characters'],
])('%j is refused: it %s', (input, reason) => {
  expect(parsePhone(input)).toEqual({ ok: false, reason });
});

test('7 to 15 digits with any separators, plus or 00 in front give the digits', () => {
  const separator = fc.constantFrom('', '', '', ' ', '-', '(', ')');
  const digits = fc.stringMatching(/^[1-9][0-9]{6,14}$/);
  fc.assert(
    fc.property(
      fc.constantFrom('', '+', '00'),
      digits,
      fc.array(separator, { maxLength: 15 }),
      (prefix, phone, gaps) => {
        const input = prefix + [...phone].map((digit, at) => (gaps[at] ?? '') + digit).join('');
        expect(parsePhone(input)).toEqual({ ok: true, phone });
      },
    ),
  );
});

test('every accepted number is 7 to 15 ASCII digits, the first not 0, and reads the same again', () => {
  const input = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[+0-9 ()[\]-]{0,30}$/));
  fc.assert(
    fc.property(input, (text) => {
      const parsed = parsePhone(text);
      if (!parsed.ok) {
        expect(parsed.reason).toMatch(/^(is|has|starts|contains) /);
        return;
      }
      expect(parsed.phone).toMatch(/^[1-9][0-9]{6,14}$/);
      expect(parsePhone(parsed.phone)).toEqual(parsed);
    }),
  );
});

test('a text of ten million characters is refused without being read', () => {
  expect(parsePhone('('.repeat(1e7))).toEqual({ ok: false, reason: 'is longer than 40 characters' });
});
