import { MAX_VIEWS, type SavedView } from '#conversations/domain/saved-view';
import type { AgentId, TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

const COLUMNS = 'v.view_id, v.name, v.condition, v.sort, v.agent_id, v.position, v.version, v.created_ms, v.updated_ms';
/** All agents together own what is shared; an expression of the index of names. */
const ownerOf = (agentId: string) => `coalesce(${agentId}, '00000000-0000-0000-0000-000000000000'::uuid)`;
const OWNER = ownerOf('o.agent_id');

const VIEW_ADD = statement('saved_view_add')`
insert into conversation_views as v (
  tenant_id, view_id, name, condition, sort, agent_id, position, version, created_ms, updated_ms)
select $1::uuid, $2::uuid, $3, $4::jsonb, $5, $6::uuid, coalesce($7::integer, max(o.position) + 1, 1), $8, $9, $10
from conversation_views o where o.tenant_id = $1::uuid and ${OWNER} = ${ownerOf('$6::uuid')}
on conflict do nothing
returning ${COLUMNS}`;

/** Stores a new view, without a position behind the others. @returns null when its owner has one of this name */
export function addView(
  tx: Transaction,
  tenantId: TenantId,
  view: Omit<SavedView, 'position'> & { readonly position: number | null },
): Promise<SavedView | null> {
  const { viewId, name, condition, sort, agentId, position, version, createdMs, updatedMs } = view;
  const values = [name, JSON.stringify(condition), sort, agentId, position, version, createdMs, updatedMs];
  return firstRow(tx.run<SavedView>(VIEW_ADD, [tenantId, viewId, ...values]));
}

const VIEW_CHANGE = statement('saved_view_change')`
update conversation_views v set
  name = $3, condition = $4::jsonb, sort = $5, agent_id = $6, position = $7, version = $8, updated_ms = $9
where v.tenant_id = $1 and v.view_id = $2 and not exists (
  select 1 from conversation_views o
  where o.tenant_id = $1 and ${OWNER} = ${ownerOf('$6::uuid')} and lower(o.name) = lower($3) and o.view_id <> $2)`;

/** Stores one that is locked. @returns false when its owner has another of this name */
export async function writeView(tx: Transaction, tenantId: TenantId, view: SavedView): Promise<boolean> {
  const { viewId, name, condition, sort, agentId, position, version, updatedMs } = view;
  const values = [name, JSON.stringify(condition), sort, agentId, position, version, updatedMs];
  return (await tx.run(VIEW_CHANGE, [tenantId, viewId, ...values])).rowCount > 0;
}

const VISIBLE = `v.tenant_id = $1 and v.view_id = $2 and (v.agent_id is null or v.agent_id = $3)`;
const VIEW_FIND = statement('saved_view_find')`select ${COLUMNS} from conversation_views v where ${VISIBLE}`;
const VIEW_LOCK = statement('saved_view_lock')`${VIEW_FIND.text} for update`;

/** Whose view of which tenant. */
export interface ViewKey {
  readonly tenantId: TenantId;
  readonly viewId: string;
  /** Who asks; null: a program, which sees shared views. */
  readonly agentId: AgentId | null;
}

/** Null also when it belongs to another agent. */
export function findView(db: SqlRunner, { tenantId, viewId, agentId }: ViewKey): Promise<SavedView | null> {
  return firstRow(db.run<SavedView>(VIEW_FIND, [tenantId, viewId, agentId]));
}

export function lockView(tx: Transaction, { tenantId, viewId, agentId }: ViewKey): Promise<SavedView | null> {
  return firstRow(tx.run<SavedView>(VIEW_LOCK, [tenantId, viewId, agentId]));
}

const VIEWS_OF = statement('saved_views_of')`
select ${COLUMNS} from conversation_views v
where v.tenant_id = $1 and (v.agent_id is null or v.agent_id = $2)
order by v.position, v.view_id limit ${String(4 * MAX_VIEWS)}`;

/** All views that an agent sees, in their order. */
export async function listViews(
  db: SqlRunner,
  tenantId: TenantId,
  agentId: AgentId | null,
): Promise<readonly SavedView[]> {
  return (await db.run<SavedView>(VIEWS_OF, [tenantId, agentId])).rows;
}

const VIEWS_OF_OWNER = statement('saved_views_of_owner')`
select count(*)::integer as count from conversation_views o
where o.tenant_id = $1 and ${OWNER} = ${ownerOf('$2::uuid')}`;

/** How many views an agent has, or all share. */
export async function countViews(db: SqlRunner, tenantId: TenantId, agentId: AgentId | null): Promise<number> {
  return (await db.run<{ count: number }>(VIEWS_OF_OWNER, [tenantId, agentId])).rows[0]?.count ?? 0;
}

const VIEW_REMOVE = statement('saved_view_remove')`
delete from conversation_views where tenant_id = $1 and view_id = $2`;

export async function removeView(tx: Transaction, tenantId: TenantId, viewId: string): Promise<void> {
  await tx.run(VIEW_REMOVE, [tenantId, viewId]);
}

const VIEWS_OF_AGENT = statement('saved_views_of_agent')`
delete from conversation_views where tenant_id = $1 and agent_id = $2`;

/** The own views of an agent who is deleted. */
export async function removeViewsOf(tx: Transaction, tenantId: TenantId, agentId: AgentId): Promise<void> {
  await tx.run(VIEWS_OF_AGENT, [tenantId, agentId]);
}
