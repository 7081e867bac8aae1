import type { AuditEntry } from '#core/audit';
import type { TenantId } from '#core/ids';
import { readChain } from '#storage/audit-chain';
import type { Database } from '#storage/database';

const PORTION = 500;

/** An entry with its place in the chain of its tenant, and the hash that seals it there. */
export interface ChainedEntry {
  readonly seq: number;
  readonly hash: string;
  readonly entry: AuditEntry;
}

/**
 * The sealed entries of a tenant, oldest first, in portions that are read as fast as they are taken. An entry is sealed about a
 * second after it was written. One that somebody removed from the table is left out; its number is missing then.
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
