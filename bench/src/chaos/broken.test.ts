import { expect, test } from 'vitest';
import { PatchDoesNotFit, patched } from '../harness/patched-server.ts';
import { PROOF_TIMEOUT_MS, proveWith } from './broken/prove.ts';
import { variants } from './broken/variants.ts';

/*
 * The audit is worth something only when it fails without the guards. Each variant is a copy of the built server with
 * one guard taken away, under the same faults as the whole one. The guards of what is stored are in another file, so
 * that both run side by side.
 */
const guardsOfSends = variants.filter(({ expected }) => expected === 'duplicate');

test.for(guardsOfSends)('the audit fails when $name', { timeout: PROOF_TIMEOUT_MS }, async ({
  patches,
  expected,
  faults,
}) => {
  const { accepted, kinds } = await proveWith(patches, faults);
  expect(accepted).toBeGreaterThan(100);
  expect(kinds).toContain(expected);
});

test('a variant that no longer fits the server is refused instead of testing nothing', () => {
  const patch = { file: 'a.js', find: 'guard', replace: '' };
  expect(() => patched('nothing here', patch)).toThrow(PatchDoesNotFit);
  expect(() => patched('guard and guard', patch)).toThrow('occurs 2 times');
  expect(patched('one guard.', patch)).toBe('one .');
});
