import type { AuditEntry } from '#core/audit';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '../validation/rfc3339.ts';

export function presentAuditEntry({ entryId, createdMs, origin, action, targetId, details }: AuditEntry): JsonObject {
  return {
    id: entryId,
    at: formatRfc3339(createdMs),
    actor: { kind: origin.actor, key_id: origin.keyId, agent_id: origin.agentId },
    action,
    target_id: targetId,
    details,
    request_id: origin.requestId,
    address: origin.address,
  };
}
