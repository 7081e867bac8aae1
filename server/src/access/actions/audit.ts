import type { AuditEntry } from '#access/domain/audit';
import { appendAudit } from '#access/store/audit-log';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Writes what was done into the audit log, in the transaction that does it: no change without its entry. */
export async function audit(
  rt: Pick<Runtime, 'newId' | 'clock'>,
  tx: Transaction,
  entry: Omit<AuditEntry, 'entryId' | 'createdMs'>,
): Promise<void> {
  await appendAudit(tx, { ...entry, entryId: rt.newId(), createdMs: rt.clock.now() });
}
