import type { Scenario } from '../scenario.ts';
import { accept } from './accept.ts';
import { acceptTypes } from './accept-types.ts';
import { acceptWallet } from './accept-wallet.ts';
import { backlog } from './backlog.ts';
import { cells } from './cells.ts';
import { consolePages } from './console.ts';
import { floor } from './cost/floor.ts';
import { growth } from './cost/growth.ts';
import { processes } from './cost/processes.ts';
import { deadNames } from './dead-names.ts';
import { endToEnd } from './end-to-end.ts';
import { hangingNumber } from './hanging-number.ts';
import { idleLatency } from './idle-latency.ts';
import { imports } from './imports.ts';
import { inboxReads } from './inbox-reads.ts';
import { limitedNetwork } from './limited-network.ts';
import { lockedRow } from './locked-row.ts';
import { memory } from './memory.ts';
import { neglectedDatabase } from './neglected-database.ts';
import { numberLimit } from './number-limit.ts';
import { overload } from './overload.ts';
import { past } from './past.ts';
import { peers } from './peers.ts';
import { quietTenants } from './quiet-tenants.ts';
import { reads } from './reads.ts';
import { rules } from './rules.ts';
import { search } from './search.ts';
import { soak } from './soak.ts';
import { halfUploads } from './uploads/half-uploads.ts';
import { uploads } from './uploads/uploads.ts';
import { uploadsMemory } from './uploads/uploads-memory.ts';
import { wakingNumbers } from './waking-numbers.ts';
import { webhooks } from './webhooks.ts';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  accept,
  acceptTypes,
  acceptWallet,
  endToEnd,
  floor,
  growth,
  processes,
  backlog,
  idleLatency,
  quietTenants,
  hangingNumber,
  lockedRow,
  neglectedDatabase,
  wakingNumbers,
  cells,
  numberLimit,
  limitedNetwork,
  overload,
  reads,
  imports,
  past,
  rules,
  inboxReads,
  search,
  consolePages,
  uploads,
  halfUploads,
  webhooks,
  deadNames,
  uploadsMemory,
  memory,
  soak,
  peers,
];
