import { expect, test } from 'vitest';
import { parseJsonObject, quoteAscii, stringifyAscii } from './json.ts';

test.each([
  ['plain', '"plain"'],
  ['café 😀', '"caf\\u00e9 \\ud83d\\ude00"'],
  ['a "quote" and \\', '"a \\"quote\\" and \\\\"'],
  ['line\nbreak\u0007', '"line\\nbreak\\u0007"'],
  ['\ud800', '"\\ud800"'],
])('%j is written as ASCII', (text, json) => {
  expect(quoteAscii(text)).toBe(json);
  expect(stringifyAscii({ text })).toBe(`{"text":${json}}`);
});

test.each(['', 'no', '[]', '"text"', 'null', '{"a":'])('%j is not a JSON object', (text) => {
  expect(parseJsonObject(text)).toBeNull();
});
