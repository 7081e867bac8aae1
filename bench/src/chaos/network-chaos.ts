import type { RoundPlan } from './plan.ts';

/** A rule of the simulator's chaos for sends; the first that hits decides, delays add up. */
export interface SendRule {
  readonly probability: number;
  readonly fault: string;
  readonly code?: number;
  readonly status?: number;
  readonly delay_ms?: number;
  /** Absent: every sending number. */
  readonly phone_number_id?: string;
}

/** A rule for statuses or callbacks; all that hit a status count, the first that hits a callback. */
export interface CallbackRule {
  readonly probability: number;
  readonly fault: string;
  readonly delay_ms?: number;
}

/** What `PUT /_sim/chaos` takes. */
export interface NetworkChaos {
  readonly seed: number;
  readonly steps: {
    readonly send: readonly SendRule[];
    readonly status: readonly CallbackRule[];
    readonly callback: readonly CallbackRule[];
  };
}

/** What the simulated network does wrong in a round, beside its fault, to the numbers of the loaded tenant. */
export function networkChaos(
  { networkSeed, losesStatuses }: Pick<RoundPlan, 'networkSeed' | 'losesStatuses'>,
  phoneNumberIds: readonly string[],
): NetworkChaos {
  const lost = losesStatuses ? [{ probability: 0.4, fault: 'lost' }] : [];
  return {
    seed: networkSeed,
    steps: {
      send: phoneNumberIds.flatMap((id) => SEND_RULES.map((rule) => ({ ...rule, phone_number_id: id }))),
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

const SEND_RULES: readonly SendRule[] = [
  // Answers come late, so that a kill finds sends that the network has and the server does not know about.
  { probability: 0.3, fault: 'delay', delay_ms: 300 },
  { probability: 0.06, fault: 'accept_then_drop' },
  { probability: 0.03, fault: 'status5xx' },
  { probability: 0.02, fault: 'non_json' },
];

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
