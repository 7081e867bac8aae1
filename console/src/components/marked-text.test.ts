import { expect, test } from 'vitest';
import { partsOf } from './marked-text.ts';

const shown = (text: string) => partsOf(text).map(({ text: part, style }) => `${style}:${part}`);

test.each([
  ['plain', ['plain:plain']],
  ['*now*', ['bold:now']],
  ['It is *very* late', ['plain:It is ', 'bold:very', 'plain: late']],
  ['_so_, ~no~', ['italic:so', 'plain:, ', 'strike:no']],
  ['2*3*4', ['plain:2*3*4']],
  ['snake_case_name', ['plain:snake_case_name']],
  ['* not a mark *', ['plain:* not a mark *']],
  ['*over\nlines*', ['plain:*over\nlines*']],
  ['(*so*)', ['plain:(', 'bold:so', 'plain:)']],
  ['', []],
])('"%s" is shown with its styles', (text, parts) => {
  expect(shown(text)).toEqual(parts);
});

test('with its marks kept, the parts together are the text', () => {
  for (const text of ['a *b* _c_ ~d~', '*x*', 'no marks', '**', '*a* *b*'])
    expect(
      partsOf(text, { keepsMarks: true })
        .map(({ text: part }) => part)
        .join(''),
    ).toBe(text);
});
