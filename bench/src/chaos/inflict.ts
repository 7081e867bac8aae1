import { pause } from '../harness/pause.ts';
import type { Random } from '../random.ts';
import type { Arena } from './arena.ts';
import { FAULTS } from './faults/all.ts';
import type { RoundPlan } from './plan.ts';

/** Does the fault of a round and repairs it. @returns when the repair began, milliseconds since 1970: starting takes part of the recovery */
export async function inflict(arena: Arena, plan: RoundPlan, random: Random): Promise<number> {
  await pause(plan.faultAfterMs);
  const repair = await FAULTS[plan.fault].inflict(arena, random);
  await pause(plan.awayMs);
  const repairedMs = Date.now();
  await repair();
  return repairedMs;
}
