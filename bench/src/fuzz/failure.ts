import type { Violation } from './checks.ts';

/** Something that is wrong, with the request that shows it. */
export interface Failure extends Violation {
  readonly operation: string;
  readonly curl: string;
  /** Of the round: repeats it together with the options of the run. */
  readonly seed: number;
}
