import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, proveWith } from './broken/prove.ts';
import { variants } from './broken/variants.ts';

const guardsOfStores = variants.filter(({ expected }) => expected !== 'duplicate');

test.for(guardsOfStores)('the audit fails when $name', { timeout: PROOF_TIMEOUT_MS }, async ({
  patches,
  expected,
  faults,
}) => {
  const { accepted, kinds } = await proveWith(patches, faults);
  expect(accepted).toBeGreaterThan(100);
  expect(kinds).toContain(expected);
});

test('the audit passes with every guard in place', { timeout: PROOF_TIMEOUT_MS }, async () => {
  const { accepted, violations } = await proveWith([], ['kill_server']);
  expect(accepted).toBeGreaterThan(100);
  expect(violations).toEqual([]);
});
