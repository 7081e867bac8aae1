import { expect, test } from 'vitest';
import { authorKindNumber, writerKinds } from './author.ts';

test('the number that a stored message keeps for a kind of author never changes', () => {
  expect(writerKinds.map((kind) => [kind, authorKindNumber(kind)])).toEqual([
    ['agent', 1],
    ['rule', 2],
    ['campaign', 3],
    ['key', 4],
    ['phone', 5],
  ]);
});
