import type { ChainedEntry } from '#access/domain/audit-chain';
import { readChain } from '#access/store/audit-chain';
import type { Requester } from '#core/caller/origin';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { audit } from './audit.ts';

const PORTION = 500;

/**
 * Starts an export with an audit entry, which a later export contains. @param afterSeq the last place that the caller
 * has
 */
export async function beginAuditExport(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  afterSeq: number,
): Promise<AsyncIterable<readonly ChainedEntry[]>> {
  const details = { after_seq: afterSeq };
  await db.transaction((tx) =>
    audit(rt, tx, { tenantId, origin, action: 'audit_log.exported', targetId: tenantId, details }),
  );
  return exportAudit(db, tenantId, afterSeq);
}

/**
 * The sealed entries of a tenant, oldest first, in portions that are read as fast as they are consumed. An entry is
 * sealed about a second after it was written. An entry that was removed from the table by hand is left out; its number
 * is missing then.
 */
export async function* exportAudit(
  db: Database,
  tenantId: TenantId,
  afterSeq: number,
): AsyncIterable<readonly ChainedEntry[]> {
  let from = afterSeq;
  for (;;) {
    const seals = await readChain(db, tenantId, { afterSeq: from, limit: PORTION });
    const last = seals.at(-1);
    if (last === undefined) return;
    yield seals.flatMap(({ seq, hash, entry }) => (entry === null ? [] : [{ seq, hash, entry }]));
    from = last.seq;
  }
}
