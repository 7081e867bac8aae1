import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { TraceEntry } from '#messages/domain/message';
import { releaseHeld } from '#messages/store/held-messages';
import type { Runtime } from '#runtime/runtime';

interface ReleaseMessages {
  /** Null: of all tenants. */
  readonly tenantId: TenantId | null;
  /** True when the operator knows that nothing was sent in the meantime: the database was moved in order. */
  readonly unsent: boolean;
}

/**
 * Lets go what is held since the database was restored: as its tenants want unknown outcomes settled, or as if nothing had
 * happened. The audit log of each tenant concerned says so. @returns how many messages
 */
export async function releaseMessages(
  rt: Runtime,
  db: Database,
  { tenantId, unsent }: ReleaseMessages,
): Promise<number> {
  const nowMs = rt.clock.now();
  const detail = unsent
    ? 'Released by the operator: it had not been sent.'
    : 'Released by the operator: it counts as unknown, and its wait is over.';
  const trace: TraceEntry = { atMs: nowMs, event: 'released', detail };
  const released = await db.transaction(async (tx) => {
    const tenants = await releaseHeld(tx, { tenantId, unsent, nowMs, trace });
    for (const { tenantId: targetId, messages } of tenants) {
      const entry = { tenantId: targetId, targetId, details: { messages, unsent } };
      await audit(rt, tx, { ...entry, origin: OPERATOR, action: 'messages.released' });
    }
    return tenants.reduce((sum, { messages }) => sum + messages, 0);
  });
  rt.log.info({ tenantId, unsent, messages: released }, 'held.released');
  return released;
}
