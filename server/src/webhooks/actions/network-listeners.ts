import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { tenantsHearingNetwork } from '#webhooks/store/webhook-endpoints';

/** Remembers which tenants have an endpoint that gets the network's callbacks, so that a batch of statuses costs no extra query. */
export interface NetworkListeners {
  among(tenantIds: ReadonlySet<TenantId>): Promise<ReadonlySet<TenantId>>;
}

/** An endpoint that was created, enabled or disabled is noticed after this long at most. */
const REMEMBER_MS = 1_000;

export function makeNetworkListeners(rt: Pick<Runtime, 'clock'>, db: SqlRunner): NetworkListeners {
  let remembered = nothing();
  let sinceMs = rt.clock.monotonic();
  return {
    among: async (tenantIds) => {
      if (rt.clock.monotonic() - sinceMs > REMEMBER_MS) {
        remembered = nothing();
        sinceMs = rt.clock.monotonic();
      }
      // Another call may begin to remember anew while this one waits.
      const { asked, hearing } = remembered;
      const missing = [...tenantIds].filter((id) => !asked.has(id));
      for (const id of await tenantsHearingNetwork(db, missing)) hearing.add(id);
      for (const id of missing) asked.add(id);
      return hearing;
    },
  };
}

const nothing = () => ({ asked: new Set<TenantId>(), hearing: new Set<TenantId>() });
