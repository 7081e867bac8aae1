import type { AuditAction, AuditEntry } from '#access/domain/audit';
import type { ActorKind } from '#core/caller/origin';
import { type AgentId, idFloor, type KeyId, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type Database, statement, type Transaction } from '#database/database';
import { newestFirst, pageOf } from '#database/rows';

const AUDIT_APPEND = statement('audit_append', { insertsOnly: true })`
with entry as (
  insert into audit_log
    (tenant_id, entry_id, created_ms, actor, actor_key_id, actor_agent_id, action, target_id, details, request_id, address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
)
insert into audit_unsealed (tenant_id, entry_id) values ($1, $2)`;

/** Adds an entry, in the transaction of the change it tells of. No other statement changes this table. */
export async function appendAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { tenantId, entryId, createdMs, origin, action, targetId, details } = entry;
  const { actor, keyId, agentId, requestId, address } = origin;
  const json = JSON.stringify(details);
  const by = [actor, keyId, agentId];
  await tx.run(AUDIT_APPEND, [tenantId, entryId, createdMs, ...by, action, targetId, json, requestId, address]);
}

export interface AuditRow extends Omit<AuditEntry, 'origin'> {
  readonly actor: ActorKind;
  readonly actorKeyId: KeyId | null;
  readonly actorAgentId: AgentId | null;
  readonly requestId: string | null;
  readonly address: string | null;
}

declare module '#database/schema' {
  interface Schema {
    audit_log: AuditRow;
  }
}

export interface AuditFilter {
  readonly actor?: ActorKind;
  readonly keyId?: string;
  readonly agentId?: string;
  readonly action?: AuditAction;
  readonly targetId?: string;
  readonly createdAfterMs?: number;
  readonly createdBeforeMs?: number;
}

/** The log of a tenant, newest first. Costs the same on every page when a cursor is used. */
export async function listAudit(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
  filter: AuditFilter,
  window: ListWindow,
): Promise<Page<AuditEntry>> {
  let query = db.kysely.selectFrom('audit_log').selectAll().where('tenantId', '=', tenantId);
  if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
  if (filter.keyId !== undefined) query = query.where('actorKeyId', '=', filter.keyId as KeyId);
  if (filter.agentId !== undefined) query = query.where('actorAgentId', '=', filter.agentId as AgentId);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.targetId !== undefined) query = query.where('targetId', '=', filter.targetId);
  if (filter.createdAfterMs !== undefined) query = query.where('entryId', '>=', idFloor(filter.createdAfterMs));
  if (filter.createdBeforeMs !== undefined) query = query.where('entryId', '<', idFloor(filter.createdBeforeMs));
  return pageOf((await newestFirst(query, 'entryId', window).execute()).map(toEntry), window.limit);
}

/** An entry as the chain of hashes and the API know it. One literal: whole chains are read. */
export function toEntry(row: AuditRow): AuditEntry {
  const { actor, actorKeyId: keyId, actorAgentId: agentId, requestId, address } = row;
  const { tenantId, entryId, createdMs, action, targetId, details } = row;
  const origin = { actor, keyId, agentId, requestId, address };
  return { tenantId, entryId, createdMs, origin, action, targetId, details };
}
