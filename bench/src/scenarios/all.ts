import type { Scenario } from '../scenario.ts';
import { accept } from './accept.ts';
import { backlog } from './backlog.ts';
import { endToEnd } from './end-to-end.ts';
import { idleLatency } from './idle-latency.ts';
import { memory } from './memory.ts';
import { numberLimit } from './number-limit.ts';
import { peers } from './peers.ts';
import { reads } from './reads.ts';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  accept,
  endToEnd,
  backlog,
  idleLatency,
  numberLimit,
  reads,
  memory,
  peers,
];
