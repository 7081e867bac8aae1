import { listRetainingTenants, type RetainingTenant } from '#access/store/tenant-retention';
import type { MessageId, TenantId } from '#core/ids';
import { effectiveDays, type RetentionKind } from '#core/retention';
import type { Database } from '#database/database';
import { type Direction, removeOldMessages } from '#maintenance/store/old-messages';
import { lastFollowedEvent, removeOldEventsOfTenant, removeOldOfTenant } from '#maintenance/store/tenant-retention';
import { DAY_MS, EVENTS_MS, limitsOfRetention } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

/** Kinds with rows to remove. Files have an end of their own, which is set when they are stored. */
type SweptKind = Exclude<RetentionKind, 'received_media' | 'uploads'>;
export type SweptCounts = Partial<Record<SweptKind, number>>;

/** How far the walk over the messages of a tenant has come. */
export type MessagePlace = Readonly<Record<Direction, MessageId | null>>;
export const FROM_THE_OLDEST: MessagePlace = { outbound: null, inbound: null };

/** Batches of a kind before the next kind, or the next tenant, has its turn. */
const MAX_BATCHES = 5;
/** Tenants in one round, so that a stop need not wait for all. */
const TENANTS_AT_ONCE = 20;
/** Days are the unit: a tenant with nothing old is not asked about again for an hour. */
const PAUSE_MS = 60 * 60 * 1000;

/** Removes a batch. @returns how many rows; 0: there are no more */
type RemoveBatch = (db: Database, tenantId: TenantId, beforeMs: number) => Promise<number>;

const removers: Readonly<Record<Exclude<SweptKind, 'messages'>, RemoveBatch>> = {
  webhook_deliveries: (db, tenantId, beforeMs) => removeOldOfTenant(db, tenantId, 'webhook_deliveries', beforeMs),
  rule_decisions: (db, tenantId, beforeMs) => removeOldOfTenant(db, tenantId, 'rule_decisions', beforeMs),
  // After the deliveries, which name events.
  events: async (db, tenantId, beforeMs) =>
    removeOldEventsOfTenant(db, tenantId, { beforeMs, upTo: await lastFollowedEvent(db, tenantId) }),
};
const rowKinds = Object.keys(removers) as readonly (keyof typeof removers)[];

/** What a turn of a tenant came to. */
export interface TenantTurn {
  /** Rows removed, by kind; of events, pages. */
  readonly counts: SweptCounts;
  /** Whether nothing is left that is too old. */
  readonly isDone: boolean;
  /** Where the next turn goes on. */
  readonly place: MessagePlace;
}

/**
 * One turn of one tenant: some batches of each kind that it keeps for less time than the installation. Repeated, it continues.
 * @param place where the turn before ended
 */
export async function sweepTenant(
  rt: Pick<Runtime, 'config' | 'clock'>,
  db: Database,
  { tenantId, retention }: RetainingTenant,
  place: MessagePlace = FROM_THE_OLDEST,
): Promise<TenantTurn> {
  const days = effectiveDays(retention, limitsOfRetention(rt.config));
  const counts: SweptCounts = {};
  let isDone = true;
  for (const kind of rowKinds) {
    const kept = days[kind];
    if (retention[kind] === undefined || kept === null) continue;
    const turn = await inBatches(() => removers[kind](db, tenantId, rt.clock.now() - kept * DAY_MS));
    counts[kind] = turn.removed;
    isDone &&= turn.isDone;
  }
  if (days.messages === null) return { counts, isDone, place: FROM_THE_OLDEST };
  const walk = await walkMessages(rt, db, { tenantId, place, days: days.messages });
  const isWalked = walk.place.outbound === null && walk.place.inbound === null;
  return { counts: { ...counts, messages: walk.removed }, isDone: isDone && isWalked, place: walk.place };
}

interface MessageWalk {
  readonly tenantId: TenantId;
  readonly place: MessagePlace;
  readonly days: number;
}

/** Some pages of each direction; one that was at its end begins again. */
async function walkMessages(
  { clock }: Pick<Runtime, 'clock'>,
  db: Database,
  { tenantId, place, days }: MessageWalk,
): Promise<{ readonly removed: number; readonly place: MessagePlace }> {
  const times = { beforeMs: clock.now() - days * DAY_MS, quietSinceMs: clock.now() - EVENTS_MS - DAY_MS };
  let removed = 0;
  const walk = async (direction: Direction): Promise<MessageId | null> => {
    let after = place[direction];
    for (let page = 0; page < MAX_BATCHES; page += 1) {
      const step = await removeOldMessages(db, tenantId, { direction, after, ...times });
      removed += step.removed;
      after = step.next;
      if (after === null) return null;
    }
    return after;
  };
  const [outbound, inbound] = [await walk('outbound'), await walk('inbound')];
  return { removed, place: { outbound, inbound } };
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
  let visits = new Map<TenantId, Visit>();
  return async () => {
    const tenants = await listRetainingTenants(db);
    const nowMs = rt.clock.now();
    visits = new Map(tenants.map(({ tenantId }) => [tenantId, visits.get(tenantId) ?? FIRST_VISIT]));
    const visitOf = ({ tenantId }: RetainingTenant) => visits.get(tenantId) ?? FIRST_VISIT;
    const due = tenants.filter((tenant) => visitOf(tenant).dueMs <= nowMs);
    const turns = due.toSorted((a, b) => visitOf(a).dueMs - visitOf(b).dueMs).slice(0, TENANTS_AT_ONCE);
    for (const tenant of turns) {
      const { isDone, place } = await takeTurn(rt, db, tenant, visitOf(tenant).place);
      visits.set(tenant.tenantId, { dueMs: isDone ? nowMs + PAUSE_MS : nowMs, place });
    }
    return turns.length;
  };
}

/** When a tenant has its next turn, and where that goes on. */
interface Visit {
  readonly dueMs: number;
  readonly place: MessagePlace;
}
const FIRST_VISIT: Visit = { dueMs: 0, place: FROM_THE_OLDEST };

async function takeTurn(
  rt: Runtime,
  db: Database,
  tenant: RetainingTenant,
  place: MessagePlace,
): Promise<Pick<TenantTurn, 'isDone' | 'place'>> {
  const { tenantId } = tenant;
  try {
    const turn = await sweepTenant(rt, db, tenant, place);
    const removed = Object.values(turn.counts).some((count) => count > 0);
    if (removed) rt.log.info({ tenantId, ...turn.counts }, 'retention.tenant_swept');
    return turn;
  } catch (error) {
    rt.log.warn({ tenantId, error: (error as Error).message }, 'retention.tenant_failed');
    return { isDone: true, place: FROM_THE_OLDEST };
  }
}
