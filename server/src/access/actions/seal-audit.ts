import type { AuditEntry } from '#access/domain/audit';
import { CHAIN_START, type ChainedEntry, chainedEntryJson, sealOf } from '#access/domain/audit-chain';
import { appendSeals, type ChainHead, hasUnsealed, lockHeads, takeUnsealed } from '#access/store/audit-chain';
import type { TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { AUDIT_RECORDED, type EventType } from '#events/domain/event';
import type { Runtime } from '#runtime/runtime';

const AT_ONCE = 500;

/** Finds those of some tenants who have an endpoint that names a type of events. */
export type FindSubscribed = (
  tx: Transaction,
  tenantIds: readonly TenantId[],
  type: EventType,
) => Promise<ReadonlySet<TenantId>>;

/**
 * Adds what was written into the audit log to the chains of its tenants, in one transaction. Beside the changes that
 * the entries record, not within them: these would wait for each other. Each entry of a tenant with an endpoint that
 * names `audit.recorded` is an event as well.
 * @returns how many entries were sealed; call again while it is not 0
 */
export async function sealAudit(rt: Runtime, db: Database, findSubscribed: FindSubscribed): Promise<number> {
  // Nearly always there is nothing: a read is cheaper than a transaction.
  if (!(await hasUnsealed(db))) return 0;
  const sealed = await withEvents(rt, db, async (tx, events) => {
    const entries = await takeUnsealed(tx, AT_ONCE);
    if (entries.length === 0) return NOTHING;
    const tenantIds = [...new Set(entries.map(({ tenantId }) => tenantId))];
    const chained = await appendToChains(rt, tx, tenantIds, entries);
    const subscribed = await findSubscribed(tx, tenantIds, AUDIT_RECORDED);
    for (const one of chained.entries) {
      const { tenantId } = one.entry;
      if (subscribed.has(tenantId)) events.add({ tenantId, type: AUDIT_RECORDED, data: chainedEntryJson(one) });
    }
    return chained;
  });
  // A copy of the log elsewhere shows whether a whole chain was rewritten.
  for (const { tenantId, seq, hash } of sealed.heads) rt.log.info({ tenant_id: tenantId, seq, hash }, 'audit.sealed');
  return sealed.entries.length;
}

interface Sealed {
  readonly entries: readonly ChainedEntry[];
  /** Where the chains end now. */
  readonly heads: readonly ChainHead[];
}

const NOTHING: Sealed = { entries: [], heads: [] };

async function appendToChains(
  rt: Runtime,
  tx: Transaction,
  tenantIds: readonly TenantId[],
  entries: readonly AuditEntry[],
): Promise<Sealed> {
  const before = await lockHeads(tx, tenantIds, CHAIN_START);
  const chains = before.map((head) => continueChain(head, entries));
  const sealed = { entries: chains.flatMap((chain) => chain.entries), heads: chains.map((chain) => chain.head) };
  const seals = sealed.entries.map(({ seq, hash, entry: { tenantId, entryId } }) => ({ tenantId, seq, entryId, hash }));
  await appendSeals(tx, seals, sealed.heads, rt.clock.now());
  return sealed;
}

/** @param entries of any tenants; those of the chain join it */
function continueChain(
  { tenantId, ...from }: ChainHead,
  entries: readonly AuditEntry[],
): { readonly entries: readonly ChainedEntry[]; readonly head: ChainHead } {
  let { seq, hash } = from;
  const joined: ChainedEntry[] = [];
  for (const entry of entries.filter((one) => one.tenantId === tenantId)) {
    seq += 1;
    hash = sealOf(hash, entry);
    joined.push({ seq, hash, entry });
  }
  return { entries: joined, head: { tenantId, seq, hash } };
}

/** Seals everything that is there. */
export async function sealAllAudit(rt: Runtime, db: Database, findSubscribed: FindSubscribed): Promise<void> {
  while ((await sealAudit(rt, db, findSubscribed)) > 0);
}
