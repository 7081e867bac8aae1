import { expect, test } from 'vitest';
import { CALLBACK_FAULTS, SEND_FAULTS, STATUS_FAULTS } from '../../../simulator/src/chaos.ts';
import { FAILURE_STEPS } from '../../../simulator/src/failures.ts';
import { chaosPlan, FAULTS, STEPS } from './faults.ts';

test('faults and steps are those that the simulator knows', () => {
  const known = { send: SEND_FAULTS, status: STATUS_FAULTS, callback: CALLBACK_FAULTS };
  const names = Object.entries(known).flatMap(([step, faults]) => faults.map((fault) => `${step}.${fault}`));
  expect(FAULTS).toEqual(names);
  expect(STEPS).toEqual(FAILURE_STEPS);
});

test('a fault always happens unless its probability is given', () => {
  const faults = { 'send.error': { code: 131016 }, 'send.delay': { probability: 0.5 }, 'status.lost': {} };
  expect(chaosPlan(faults)).toEqual({
    steps: {
      send: [
        { fault: 'error', probability: 1, code: 131016 },
        { fault: 'delay', probability: 0.5 },
      ],
      status: [{ fault: 'lost', probability: 1 }],
    },
  });
});
