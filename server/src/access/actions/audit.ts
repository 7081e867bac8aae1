import type { AuditEntry } from '#access/domain/audit';
import { appendAudit } from '#access/store/audit-log';
import { idMadeMs } from '#core/ids';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Writes what was done into the audit log, in the transaction that does it: no change without its entry. */
export async function audit(
  rt: Pick<Runtime, 'newId'>,
  tx: Transaction,
  entry: Omit<AuditEntry, 'entryId' | 'createdMs'>,
): Promise<void> {
  const entryId = rt.newId();
  // The log is filtered by its ids: an entry must be found at the time that it shows.
  await appendAudit(tx, { ...entry, entryId, createdMs: idMadeMs(entryId) });
}
