import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('a table is quoted as RFC 4180 says, and no cell is a formula', () => {
  const rows = [
    { name: 'a,b', note: 'say "hi"', n: 1 },
    { name: '=1+1', note: 'two\nlines', n: -2.5 },
    { name: '+447700900123', note: null, n: { a: 1 } },
  ];
  expect(toCsv(['name', 'note', 'n'], rows)).toBe(
    ['name,note,n', '"a,b","say ""hi""",1', `'=1+1,"two\nlines",-2.5`, `'+447700900123,,"{""a"":1}"`, ''].join('\r\n'),
  );
});
