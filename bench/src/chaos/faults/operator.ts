import { HANGS_AFTER_MS } from '../../harness/pause.ts';
import type { Arena } from '../arena.ts';
import { BOTH, type FaultAction, POSTGRES } from './fault.ts';

const SUSPENDED_MS = 5_000;
/** How long it works in the other cell. */
const STAYS_MS = 1_500;
const OTHER_CELL = 'b';
const EARLIEST_KILL_MS = 500;
const LATEST_KILL_MS = 12_000;
const MIXED_MS = 2_500;
const OUTDATED = 5;

/** The operator suspends the loaded tenant, with its queue full, and resumes it. */
export const tenantSuspended: FaultAction = {
  databases: BOTH,
  isApart: true,
  lasts: () => SUSPENDED_MS,
  inflict: async (arena) => {
    await arena.suspendTenant();
    return () => arena.resumeTenant();
  },
};

/** The loaded tenant moves to another cell and back; the command is killed once on its way. */
export const tenantMoved: FaultAction = {
  databases: POSTGRES,
  isNamedOnly: true,
  lasts: () => STAYS_MS,
  inflict: async (arena, random) => {
    await arena.moveTenant(OTHER_CELL, random.between(EARLIEST_KILL_MS, LATEST_KILL_MS));
    return () => arena.moveTenant('main', null);
  },
};

/** A newer version is rolled out: for a while both work, then its schema is none for the older one, which must leave. */
export const twoVersions: FaultAction = {
  databases: POSTGRES,
  lasts: () => MIXED_MS,
  inflict: async (arena) => {
    await arena.upgradeSecond({ isBreaking: false });
    return async () => {
      await arena.upgradeSecond({ isBreaking: true });
      await untilOutdated(arena);
      await arena.upgradeServer();
    };
  },
};

async function untilOutdated({ server }: Arena): Promise<void> {
  const code = await server.exitsWithin(HANGS_AFTER_MS);
  if (code !== OUTDATED) throw new Error(`The server of the older version ended with ${code}, not with ${OUTDATED}.`);
}
