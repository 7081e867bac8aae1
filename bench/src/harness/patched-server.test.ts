import { expect, test } from 'vitest';
import { variants } from '../chaos/broken/variants.ts';
import { PatchDoesNotFit, patched } from './patched-server.ts';

test('a variant that no longer fits the server is refused instead of testing nothing', () => {
  const patch = { file: 'a.js', find: 'guard', replace: '' };
  expect(() => patched('nothing here', patch)).toThrow(PatchDoesNotFit);
  expect(() => patched('guard and guard', patch)).toThrow('occurs 2 times');
  expect(patched('one guard.', patch)).toBe('one .');
});

test('every kind of guard is taken away by some variant', () => {
  expect([...new Set(variants.map(({ expected }) => expected))].sort()).toEqual([
    'conversation',
    'duplicate',
    'inbound',
    'lost',
    'slowed',
    'suspended',
  ]);
});
