import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { faultsOn, planRounds } from './plan.ts';

test('the same seed plans the same rounds', () => {
  expect(planRounds('postgres', 30, seededRandom(9))).toEqual(planRounds('postgres', 30, seededRandom(9)));
});

test('every fault comes once before any comes again', () => {
  const all = faultsOn('postgres');
  const faults = planRounds('postgres', 2 * all.length, seededRandom(4)).map(({ fault }) => fault);
  expect(faults.slice(0, all.length).toSorted()).toEqual(all.toSorted());
  expect(faults.slice(all.length).toSorted()).toEqual(all.toSorted());
});

test('the embedded database has no fault that needs a second process or a database server', () => {
  const faults = faultsOn('pglite');
  expect(faults).toContain('kill_server');
  expect(faults).not.toContain('kill_dispatcher');
  expect(faults).not.toContain('freeze_postgres');
});

test('a frozen dispatcher stays away longer than an owner may be silent', () => {
  const frozen = planRounds('postgres', 150, seededRandom(1)).filter(({ fault }) => fault === 'freeze_dispatcher');
  for (const { awayMs } of frozen) expect(awayMs).toBeGreaterThan(6_000);
});
