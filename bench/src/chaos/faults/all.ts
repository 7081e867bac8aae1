import { connectionLimit, freezePostgres, killPostgres, lockHeld, terminateBackends } from './database.ts';
import type { FaultAction } from './fault.ts';
import { clockJump, diskFull } from './machine.ts';
import {
  callbacksRefused,
  dripNumber,
  hangNumber,
  pageStorm,
  randomAnswers,
  statusesLate,
  throttled,
  tokenRefused,
} from './network.ts';
import { tenantMoved, tenantSuspended, twoVersions } from './operator.ts';
import { freezeDispatcher, freezeServer, killDispatcher, killServer, killServerTwice } from './processes.ts';

/** Every fault by the name that a plan, a certificate and `--faults` call it. */
export const FAULTS = {
  kill_server: killServer,
  kill_server_twice: killServerTwice,
  freeze_server: freezeServer,
  kill_dispatcher: killDispatcher,
  freeze_dispatcher: freezeDispatcher,
  terminate_backends: terminateBackends,
  kill_postgres: killPostgres,
  freeze_postgres: freezePostgres,
  connection_limit: connectionLimit,
  lock_held: lockHeld,
  hang_number: hangNumber,
  drip_number: dripNumber,
  page_storm: pageStorm,
  random_answers: randomAnswers,
  throttled,
  token_refused: tokenRefused,
  callbacks_refused: callbacksRefused,
  statuses_late: statusesLate,
  clock_jump: clockJump,
  disk_full: diskFull,
  tenant_suspended: tenantSuspended,
  tenant_moved: tenantMoved,
  two_versions: twoVersions,
} as const satisfies Record<string, FaultAction>;

export type Fault = keyof typeof FAULTS;

/** In the order of the table. */
export const FAULT_NAMES = Object.keys(FAULTS) as readonly Fault[];
