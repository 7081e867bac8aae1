import type { AuditEntry } from '#core/audit';
import { CHAIN_START, sealOf } from '#core/audit-chain';
import type { Runtime } from '#runtime/runtime';
import { appendSeals, type ChainHead, hasUnsealed, lockHeads, type Seal, takeUnsealed } from '#storage/audit-chain';
import type { Database } from '#storage/database';

const AT_ONCE = 500;

/**
 * Adds what was written into the audit log to the chains of its tenants, in one transaction. Beside the changes that the entries
 * tell of, not within them: these would wait for each other.
 * @returns how many entries were sealed; call again while it is not 0
 */
export async function sealAudit(rt: Pick<Runtime, 'clock' | 'log'>, db: Database): Promise<number> {
  // Nearly always there is nothing: a look is cheaper than a transaction.
  if (!(await hasUnsealed(db))) return 0;
  const moved: ChainHead[] = [];
  const sealed = await db.transaction(async (tx) => {
    const entries = await takeUnsealed(tx, AT_ONCE);
    if (entries.length === 0) return 0;
    const tenantIds = [...new Set(entries.map(({ tenantId }) => tenantId))];
    const seals: Seal[] = [];
    for (const head of await lockHeads(tx, tenantIds, CHAIN_START)) {
      const own = entries.filter(({ tenantId }) => tenantId === head.tenantId);
      moved.push(continueChain(head, own, seals));
    }
    await appendSeals(tx, seals, moved, rt.clock.now());
    return entries.length;
  });
  // Who keeps the log elsewhere can tell whether a whole chain was written anew.
  for (const { tenantId, seq, hash } of moved) rt.log.info({ tenant_id: tenantId, seq, hash }, 'audit.sealed');
  return sealed;
}

function continueChain({ tenantId, ...from }: ChainHead, entries: readonly AuditEntry[], seals: Seal[]): ChainHead {
  let { seq, hash } = from;
  for (const entry of entries) {
    seq += 1;
    hash = sealOf(hash, entry);
    seals.push({ tenantId, seq, entryId: entry.entryId, hash });
  }
  return { tenantId, seq, hash };
}

/** Seals everything that is there. */
export async function sealAllAudit(rt: Pick<Runtime, 'clock' | 'log'>, db: Database): Promise<void> {
  while ((await sealAudit(rt, db)) > 0);
}
