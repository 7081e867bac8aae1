import { ChainCheck, type ChainFault } from '#access/domain/audit-chain';
import { type ChainState, readChain, readHeads } from '#access/store/audit-chain';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';

const PORTION = 1_000;

/** Why the audit log of a tenant is not what was written into it. */
export interface AuditFault {
  readonly tenantId: TenantId;
  /** Place in the chain; null: it is not known where. */
  readonly seq: number | null;
  readonly fault: ChainFault['fault'] | 'head_changed' | 'entry_added';
}

export interface AuditVerdict {
  /** Entries that were followed, of all tenants. */
  readonly entries: number;
  readonly faults: readonly AuditFault[];
}

/** Follows the chains of hashes over the audit log. @param tenantId null: of every tenant */
export async function verifyAudit(db: Database, tenantId: TenantId | null): Promise<AuditVerdict> {
  const faults: AuditFault[] = [];
  let entries = 0;
  for (const state of await readHeads(db, tenantId)) {
    const { seq, fault } = await verifyOne(db, state);
    entries += seq;
    if (fault !== null) faults.push(fault);
  }
  return { entries, faults };
}

async function verifyOne(db: Database, state: ChainState): Promise<{ seq: number; fault: AuditFault | null }> {
  const { tenantId } = state;
  const check = new ChainCheck();
  while (check.seq < state.seq) {
    const limit = Math.min(PORTION, state.seq - check.seq);
    const seals = await readChain(db, tenantId, { afterSeq: check.seq, limit });
    const fault = check.follow(seals) ?? (seals.length < limit ? endsAt(check.seq + 1) : null);
    if (fault !== null) return { seq: check.seq, fault: { tenantId, seq: fault.seq, fault: fault.fault } };
  }
  return { seq: check.seq, fault: endFault(state, check) };
}

function endsAt(seq: number): Pick<ChainFault, 'seq' | 'fault'> {
  return { seq, fault: 'seal_missing' };
}

/** The chain holds: it must also end where its head says, and every entry must be in it or wait for it. */
function endFault({ tenantId, seq, hash, entries, unsealed }: ChainState, check: ChainCheck): AuditFault | null {
  if (seq > 0 && hash !== check.hash) return { tenantId, seq, fault: 'head_changed' };
  // Entries that were written during this read are missing in none of the counts: they are read in one statement.
  return entries > seq + unsealed ? { tenantId, seq: null, fault: 'entry_added' } : null;
}
