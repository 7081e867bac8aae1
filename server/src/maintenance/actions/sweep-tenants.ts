import { listRetainingTenants, type RetainingTenant } from '#access/store/tenant-retention';
import type { TenantId } from '#core/ids';
import { effectiveDays, type RetentionKind } from '#core/retention';
import type { Database } from '#database/database';
import { lastFollowedEvent, removeOldEventsOfTenant, removeOldOfTenant } from '#maintenance/store/tenant-retention';
import { DAY_MS, limitsOfRetention } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

/** Kinds with rows to remove. Files have an end of their own, which is set when they are stored. */
type SweptKind = Exclude<RetentionKind, 'received_media' | 'uploads'>;
export type SweptCounts = Partial<Record<SweptKind, number>>;

/** Batches of a kind before the next kind, or the next tenant, has its turn. */
const MAX_BATCHES = 5;
/** Tenants in one round, so that a stop need not wait for all. */
const TENANTS_AT_ONCE = 20;
/** Days are the unit: a tenant with nothing old is not asked about again for an hour. */
const PAUSE_MS = 60 * 60 * 1000;

/** Removes a batch. @returns how many rows; 0: there are no more */
type RemoveBatch = (db: Database, tenantId: TenantId, beforeMs: number) => Promise<number>;

const removers: Readonly<Record<SweptKind, RemoveBatch>> = {
  webhook_deliveries: (db, tenantId, beforeMs) => removeOldOfTenant(db, tenantId, 'webhook_deliveries', beforeMs),
  rule_decisions: (db, tenantId, beforeMs) => removeOldOfTenant(db, tenantId, 'rule_decisions', beforeMs),
  // After the deliveries, which name events.
  events: async (db, tenantId, beforeMs) =>
    removeOldEventsOfTenant(db, tenantId, { beforeMs, upTo: await lastFollowedEvent(db, tenantId) }),
};
const sweptKinds = Object.keys(removers) as readonly SweptKind[];

/** What a turn of a tenant came to. */
export interface TenantTurn {
  /** Rows removed, by kind; of events, pages. */
  readonly counts: SweptCounts;
  /** Whether nothing is left that is too old. */
  readonly isDone: boolean;
}

/** One turn of one tenant: some batches of each kind that it keeps for less time than the installation. Repeated, it continues. */
export async function sweepTenant(
  rt: Pick<Runtime, 'config' | 'clock'>,
  db: Database,
  { tenantId, retention }: RetainingTenant,
): Promise<TenantTurn> {
  const days = effectiveDays(retention, limitsOfRetention(rt.config));
  const counts: SweptCounts = {};
  let isDone = true;
  for (const kind of sweptKinds) {
    const kept = days[kind];
    if (retention[kind] === undefined || kept === null) continue;
    const turn = await inBatches(() => removers[kind](db, tenantId, rt.clock.now() - kept * DAY_MS));
    counts[kind] = turn.removed;
    isDone &&= turn.isDone;
  }
  return { counts, isDone };
}

async function inBatches(
  remove: () => Promise<number>,
): Promise<{ readonly removed: number; readonly isDone: boolean }> {
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await remove();
    if (count === 0) return { removed, isDone: true };
    removed += count;
  }
  return { removed, isDone: false };
}

/**
 * Sweeps the tenants that chose retentions of their own, in turns, so that one with much to remove holds up no other. A tenant that
 * fails has its next turn after the pause, and the others go on.
 * @returns a round: it resolves to the turns that were taken
 */
export function makeTenantSweeper(rt: Runtime, db: Database): () => Promise<number> {
  let dueMs = new Map<TenantId, number>();
  return async () => {
    const tenants = await listRetainingTenants(db);
    const nowMs = rt.clock.now();
    dueMs = new Map(tenants.map(({ tenantId }) => [tenantId, dueMs.get(tenantId) ?? 0]));
    const isDue = ({ tenantId }: RetainingTenant) => dueOf(tenantId) <= nowMs;
    const dueOf = (tenantId: TenantId) => dueMs.get(tenantId) ?? 0;
    const next = tenants.filter(isDue).toSorted((a, b) => dueOf(a.tenantId) - dueOf(b.tenantId));
    const turns = next.slice(0, TENANTS_AT_ONCE);
    for (const tenant of turns) {
      const isDone = await takeTurn(rt, db, tenant);
      dueMs.set(tenant.tenantId, isDone ? nowMs + PAUSE_MS : nowMs);
    }
    return turns.length;
  };
}

async function takeTurn(rt: Runtime, db: Database, tenant: RetainingTenant): Promise<boolean> {
  const { tenantId } = tenant;
  try {
    const { counts, isDone } = await sweepTenant(rt, db, tenant);
    const removed = Object.values(counts).some((count) => count > 0);
    if (removed) rt.log.info({ tenantId, ...counts }, 'retention.tenant_swept');
    return isDone;
  } catch (error) {
    rt.log.warn({ tenantId, error: (error as Error).message }, 'retention.tenant_failed');
    return true;
  }
}
