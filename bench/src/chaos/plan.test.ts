import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { planRounds } from './plan.ts';

test('the same seed plans the same rounds', () => {
  expect(planRounds('postgres', 30, seededRandom(9))).toEqual(planRounds('postgres', 30, seededRandom(9)));
});

test('every fault comes once before any comes again', () => {
  const faults = planRounds('postgres', 14, seededRandom(4)).map(({ fault }) => fault);
  expect(new Set(faults.slice(0, 7)).size).toBe(7);
  expect(new Set(faults.slice(7)).size).toBe(7);
});

test('the embedded database has no fault that needs a second process', () => {
  const faults = new Set(planRounds('pglite', 50, seededRandom(2)).map(({ fault }) => fault));
  expect([...faults].sort()).toEqual(['freeze_server', 'kill_server', 'kill_server_twice']);
});

test('a frozen dispatcher stays away longer than an owner may be silent', () => {
  const frozen = planRounds('postgres', 70, seededRandom(1)).filter(({ fault }) => fault === 'freeze_dispatcher');
  for (const { awayMs } of frozen) expect(awayMs).toBeGreaterThan(6_000);
});
