import { audit } from '#access/actions/audit';
import type { AuditAction } from '#access/domain/audit';
import type { Origin } from '#core/caller/origin';
import type { UserId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { listMemberships } from '#users/store/users';

/** What was done with the ways in which a person signs in. */
export interface PersonEntry {
  readonly userId: UserId;
  readonly action: AuditAction;
  /** Who did it: the person, whose agent differs from tenant to tenant, or the operator. */
  readonly origin: Origin;
  readonly details?: JsonObject;
}

/** Writes into the audit log of every tenant in which the person works: it concerns each of them. */
export async function auditPerson(
  rt: Pick<Runtime, 'newId'>,
  tx: Transaction,
  { userId, action, origin, details = {} }: PersonEntry,
): Promise<void> {
  for (const { tenantId, agentId } of await listMemberships(tx, userId)) {
    const own = origin.actor === 'agent' ? { ...origin, agentId } : origin;
    await audit(rt, tx, { tenantId, origin: own, action, targetId: agentId, details });
  }
}
