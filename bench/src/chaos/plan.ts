import type { DatabaseKind } from '../harness/stage.ts';
import type { Random } from '../random.ts';

/** What is done to the service in a round. */
export type Fault =
  | 'kill_server'
  | 'kill_server_twice'
  | 'freeze_server'
  | 'kill_dispatcher'
  | 'freeze_dispatcher'
  | 'terminate_backends'
  | 'kill_postgres';

/** The embedded database allows one process, and is inside of it: its faults are those of the server. */
const FAULTS: Readonly<Record<DatabaseKind, readonly Fault[]>> = {
  postgres: [
    'kill_server',
    'kill_server_twice',
    'freeze_server',
    'kill_dispatcher',
    'freeze_dispatcher',
    'terminate_backends',
    'kill_postgres',
  ],
  pglite: ['kill_server', 'kill_server_twice', 'freeze_server'],
};

export interface RoundPlan {
  readonly round: number;
  readonly fault: Fault;
  /** From the start of the load to the fault. */
  readonly faultAfterMs: number;
  /** How long the victim stays away, or frozen. */
  readonly awayMs: number;
  /** In these rounds the network never tells some of the statuses. */
  readonly losesStatuses: boolean;
  /** Seed of the network's own faults. */
  readonly networkSeed: number;
}

const EARLIEST_MS = 300;
const LATEST_MS = 2_000;
const MAX_AWAY_MS = 400;
const FREEZE_MS = 2_500;
/** Longer than an owner may be silent (6 s): another takes its lanes, and then it wakes up. */
const ZOMBIE_MS = 8_000;
const MAX_SEED = 0x7fff_ffff;
const LOSING_SHARE = 0.3;

/** Every fault once in a row, in an order that the seed decides, then again: no kind is left out of a long run. */
export function planRounds(
  database: DatabaseKind,
  rounds: number,
  random: Random,
  faults = FAULTS[database],
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
      awayMs: awayOf(fault, random),
      losesStatuses: random.next() < LOSING_SHARE,
      networkSeed: random.between(1, MAX_SEED),
    };
  });
}

function awayOf(fault: Fault, random: Random): number {
  if (fault === 'freeze_server') return FREEZE_MS;
  if (fault === 'freeze_dispatcher') return ZOMBIE_MS;
  return random.between(0, MAX_AWAY_MS);
}

/** What the simulated network does wrong in a round, as `PUT /_sim/chaos` takes it. */
export function networkChaos({ networkSeed, losesStatuses }: Pick<RoundPlan, 'networkSeed' | 'losesStatuses'>): object {
  const lost = losesStatuses ? [{ probability: 0.4, fault: 'lost' }] : [];
  return {
    seed: networkSeed,
    steps: {
      send: [
        // Answers come late, so that a kill finds sends that the network has and the server does not know about.
        { probability: 0.3, fault: 'delay', delay_ms: 300 },
        { probability: 0.06, fault: 'accept_then_drop' },
        { probability: 0.03, fault: 'status5xx' },
        { probability: 0.02, fault: 'non_json' },
      ],
      status: [...lost, { probability: 0.1, fault: 'duplicate' }, { probability: 0.1, fault: 'reorder' }],
      callback: [
        { probability: 0.05, fault: 'duplicate' },
        // Late enough to be interpreted apart from the first.
        { probability: 0.15, fault: 'duplicate', delay_ms: 400 },
        { probability: 0.02, fault: 'cut' },
      ],
    },
  };
}

/** When the statuses of a message come, from its accept. */
export interface StatusDelays {
  readonly sent_ms: number;
  readonly delivered_ms: number;
  readonly read_ms: number;
}

/** A send whose answer was lost is settled by its statuses, within a second of its accept. */
export const STATUS_DELAYS: StatusDelays = { sent_ms: 500, delivered_ms: 650, read_ms: 800 };
/** Within the wait for an unknown outcome, but late: who repeats a send too early does so before a status settles it. */
export const LATE_STATUS_DELAYS: StatusDelays = { sent_ms: 3_000, delivered_ms: 3_150, read_ms: 3_300 };
