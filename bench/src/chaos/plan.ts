import type { DatabaseKind } from '../harness/stage.ts';
import type { Random } from '../random.ts';
import { FAULT_NAMES, FAULTS, type Fault } from './faults/all.ts';
import type { FaultAction } from './faults/fault.ts';

export interface RoundPlan {
  readonly round: number;
  readonly fault: Fault;
  /** From the start of the load to the fault. */
  readonly faultAfterMs: number;
  /** How long the victim stays away, or frozen. */
  readonly awayMs: number;
  /** In these rounds the network never reports some of the statuses. */
  readonly losesStatuses: boolean;
  /** Seed of the network's own faults. */
  readonly networkSeed: number;
}

const EARLIEST_MS = 300;
const LATEST_MS = 2_000;
const MAX_SEED = 0x7fff_ffff;
const LOSING_SHARE = 0.3;

/** Every fault once in a row, in an order that the seed decides, then again: no kind is left out of a long run. */
export function planRounds(
  database: DatabaseKind,
  rounds: number,
  random: Random,
  faults = faultsOn(database),
): readonly RoundPlan[] {
  let waiting: Fault[] = [];
  return Array.from({ length: rounds }, (_, round) => {
    if (waiting.length === 0) waiting = [...faults];
    const fault = random.pick(waiting);
    waiting = waiting.filter((one) => one !== fault);
    return {
      round,
      fault,
      faultAfterMs: random.between(EARLIEST_MS, LATEST_MS),
      awayMs: FAULTS[fault].lasts(random),
      losesStatuses: random.next() < LOSING_SHARE,
      networkSeed: random.between(1, MAX_SEED),
    };
  });
}

/** What can be done to a service on this database, without being named. */
export function faultsOn(database: DatabaseKind): readonly Fault[] {
  return FAULT_NAMES.filter((name) => {
    const fault: FaultAction = FAULTS[name];
    return fault.databases.includes(database) && fault.isNamedOnly !== true;
  });
}
