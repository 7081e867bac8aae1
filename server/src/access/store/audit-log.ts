import type { AuditAction, AuditEntry } from '#access/domain/audit';
import type { ActorKind } from '#core/caller/origin';
import type { AgentId, KeyId, TenantId } from '#core/ids';
import { idFloor } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import type { Database, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';

const AUDIT_APPEND: Statement = {
  name: 'audit_append',
  insertsOnly: true,
  text: `
with entry as (
  insert into audit_log
    (tenant_id, entry_id, created_ms, actor, actor_key_id, actor_agent_id, action, target_id, details, request_id, address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
)
insert into audit_unsealed (tenant_id, entry_id) values ($1, $2)`,
};

/** Adds an entry, in the transaction of the change it tells of. No other statement changes this table. */
export async function appendAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { tenantId, entryId, createdMs, origin, action, targetId, details } = entry;
  const { actor, keyId, agentId, requestId, address } = origin;
  const json = JSON.stringify(details);
  const by = [actor, keyId, agentId];
  await tx.run(AUDIT_APPEND, [tenantId, entryId, createdMs, ...by, action, targetId, json, requestId, address]);
}

declare module '#database/schema' {
  interface Schema {
    audit_log: {
      tenant_id: string;
      entry_id: string;
      created_ms: number;
      actor: ActorKind;
      actor_key_id: string | null;
      actor_agent_id: string | null;
      action: AuditAction;
      target_id: string;
      details: JsonObject;
      request_id: string | null;
      address: string | null;
    };
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
  let query = db.kysely.selectFrom('audit_log').selectAll().where('tenant_id', '=', tenantId);
  if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
  if (filter.keyId !== undefined) query = query.where('actor_key_id', '=', filter.keyId);
  if (filter.agentId !== undefined) query = query.where('actor_agent_id', '=', filter.agentId);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.targetId !== undefined) query = query.where('target_id', '=', filter.targetId);
  if (filter.createdAfterMs !== undefined) query = query.where('entry_id', '>=', idFloor(filter.createdAfterMs));
  if (filter.createdBeforeMs !== undefined) query = query.where('entry_id', '<', idFloor(filter.createdBeforeMs));
  query = query.orderBy('entry_id', 'desc').limit(window.limit + 1);
  query = window.beforeId === null ? query.offset(window.offset) : query.where('entry_id', '<', window.beforeId);
  const rows = await query.execute();
  return { items: rows.slice(0, window.limit).map(toEntry), hasMore: rows.length > window.limit };
}

/** An entry as the chain of hashes and the API know it. */
export function toEntry(row: Schema['audit_log']): AuditEntry {
  return {
    tenantId: row.tenant_id as TenantId,
    entryId: row.entry_id,
    createdMs: row.created_ms,
    origin: {
      actor: row.actor,
      keyId: row.actor_key_id as KeyId | null,
      agentId: row.actor_agent_id as AgentId | null,
      requestId: row.request_id,
      address: row.address,
    },
    action: row.action,
    targetId: row.target_id,
    details: row.details,
  };
}
