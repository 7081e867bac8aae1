import type { CallbackDispatcher } from './callbacks/dispatcher.ts';
import type { CallbackClient } from './callbacks/post.ts';
import type { ChaosEngine } from './chaos.ts';
import type { Clock, Timers } from './clock.ts';
import type { Customers } from './customers.ts';
import type { Ledger } from './ledger.ts';
import type { MagicCounters } from './magic.ts';
import type { NumberRegistry } from './numbers.ts';
import type { Settings } from './settings.ts';
import type { Stats } from './stats.ts';
import type { WamidMaker } from './wamid.ts';

/** The whole state of one simulated network; every handler gets it as its first argument. */
export type Simulation = {
  settings: Settings;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: WamidMaker;
  readonly ledger: Ledger;
  readonly numbers: NumberRegistry;
  readonly customers: Customers;
  readonly chaos: ChaosEngine;
  readonly magic: MagicCounters;
  readonly callbacks: CallbackDispatcher;
  readonly client: CallbackClient;
  readonly stats: Stats;
  /** One line for the operator. */
  readonly log: (line: string) => void;
};
