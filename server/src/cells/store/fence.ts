import type { TenantFence, TenantState } from '#access/domain/tenant-state';
import type { TenantId } from '#core/ids';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';

/*
 * The fence around the rows of a tenant that moves: triggers on every table of tenants, for as long as it moves, and for its rows alone. Whoever
 * writes one holds a lock until the end of their transaction, which whoever closes the fence takes alone: what was being written is
 * finished then, and nothing more can be, by any process, command or program, however late it comes. Those who are refused get the error of a row
 * that somebody else holds: it costs nobody but the tenant, and is repeated.
 */

const SCHEMA = statement('fence_schema')`select current_schema()::text as schema`;

export async function fencedSchema(db: SqlRunner): Promise<string> {
  const { rows } = await db.run<{ schema: string }>(SCHEMA, []);
  return `"${(rows[0]?.schema ?? '').replaceAll('"', '""')}"`;
}

const plain = (text: string): Statement => ({ name: '', text });

function functionText(schema: string): string {
  return `
create or replace function ${schema}.fence_moving_rows() returns trigger language plpgsql as $body$
declare
  closed text;
begin
  if current_setting('postrider.moving', true) is distinct from tg_argv[0] then
    perform pg_advisory_xact_lock_shared(hashtextextended(tg_table_schema || '/' || tg_argv[0], 0));
    select fence into closed from ${schema}.tenants where tenant_id = tg_argv[0]::uuid;
    if closed = 'refuse' then
      raise exception using errcode = 'lock_not_available', message = 'The tenant is moving to another cell.';
    elsif closed = 'skip' then
      return null;
    end if;
  end if;
  if tg_op = 'DELETE' then return old; else return new; end if;
end $body$`;
}

/** Makes what the triggers call. */
export async function makeFenceFunction(tx: Transaction, schema: string): Promise<void> {
  await tx.run(ONE_AT_A_TIME, []);
  await tx.run(plain(functionText(schema)), []);
}

/** Those who change the function at the same time would fail. */
const ONE_AT_A_TIME = statement(
  'fence_one_at_a_time',
)`select pg_advisory_xact_lock(hashtextextended('fence_moving_rows', 0))`;
/**
 * How long a lock on the table `name` is waited for: whoever comes to the table meanwhile waits behind us, for half a second at most. A vacuum that
 * PostgreSQL has begun by itself may go on for hours, and gives way only to those who have waited for `deadlock_timeout`.
 */
const patience = (schema: string): string => `case when exists (
        select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.relation = ('${schema}.' || name)::regclass and l.mode = 'ShareUpdateExclusiveLock')
      then (select (setting::int + 1000)::text from pg_settings where pg_settings.name = 'deadlock_timeout') else '500' end`;

interface OverTables {
  readonly schema: string;
  readonly tables: readonly string[];
  /** Whether there is something to do for a table. */
  readonly wanted: string;
  readonly work: string;
}

/**
 * Puts a trigger on each table, or drops it, in one statement that commits after each table. When a lock is not granted in time it fails, and goes on
 * where it was when it is run again.
 */
function overTables({ schema, tables, wanted, work }: OverTables): Statement {
  const names = tables.map((table) => `'${table}'`).join(', ');
  return plain(`
do $body$
declare
  name text;
begin
  foreach name in array array[${names}] loop
    if ${wanted} then
      perform set_config('lock_timeout', ${patience(schema)}, true);
${work}
      commit;
    end if;
  end loop;
end $body$`);
}

interface Fencing {
  readonly schema: string;
  readonly tables: readonly string[];
  readonly tenantId: TenantId;
}

const hasTrigger = (schema: string, trigger: string): string =>
  `exists (select from pg_trigger t where t.tgrelid = ('${schema}.' || name)::regclass and t.tgname = '${trigger}')`;

/** Outside of any transaction. */
export async function putTriggers(db: SqlRunner, { schema, tables, tenantId }: Fencing): Promise<void> {
  const [write, remove] = triggersOf(tenantId);
  const on = (trigger: string, event: string, row: string): string => `
      execute format('create or replace trigger ${trigger} before ${event} on ${schema}.%I for each row when (${row}.tenant_id = %L)
        execute function ${schema}.fence_moving_rows(%L)', name, '${tenantId}', '${tenantId}');`;
  const work = on(write, 'insert or update', 'new') + on(remove, 'delete', 'old');
  await db.run(overTables({ schema, tables, wanted: `not ${hasTrigger(schema, remove)}`, work }), []);
}

/** Outside of any transaction. */
export async function dropTriggers(db: SqlRunner, { schema, tables, tenantId }: Fencing): Promise<void> {
  const [write, remove] = triggersOf(tenantId);
  const work = [write, remove]
    .map((trigger) => `      execute format('drop trigger if exists ${trigger} on ${schema}.%I', name);`)
    .join('\n');
  const wanted = `${hasTrigger(schema, write)} or ${hasTrigger(schema, remove)}`;
  await db.run(overTables({ schema, tables, wanted, work }), []);
}

function triggersOf(tenantId: TenantId): readonly [write: string, remove: string] {
  const name = `fence_${tenantId.replaceAll('-', '')}`;
  return [`${name}_write`, `${name}_delete`];
}

/** From now on this transaction writes rows of the tenant whatever the fence says: it is the one that moves it. */
export async function passFence(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.run(plain(`set local postrider.moving = '${tenantId}'`), []);
}

const TAKE_ALONE = statement('fence_take_alone')`
select pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || $1, 0))`;
const SET_FENCE = statement('fence_set')`
update tenants set fence = $3, fence_by = $4 where tenant_id = $1 and fence is not distinct from $2 and coalesce(fence_by, $4) = $4`;
const OPEN_FENCE = statement('fence_open')`
update tenants set fence = null, fence_by = null where tenant_id = $1 and fence_by = $2`;

/** Waits for whoever writes rows of the tenant, and lets nobody else do it until the end of the transaction. */
export async function takeFence(tx: Transaction, tenantId: TenantId): Promise<void> {
  await passFence(tx, tenantId);
  await tx.run(TAKE_ALONE, [tenantId]);
}

export interface FenceChange {
  readonly from: TenantFence | null;
  readonly to: TenantFence;
  /** Who moves the tenant. */
  readonly by: string;
}

/** @returns false when it is not as `from` says, or somebody else's */
export async function setFence(tx: Transaction, tenantId: TenantId, { from, to, by }: FenceChange): Promise<boolean> {
  return (await tx.run(SET_FENCE, [tenantId, from, to, by])).rowCount > 0;
}

/** @returns false when it is not theirs, or open */
export async function clearFence(tx: Transaction, tenantId: TenantId, by: string): Promise<boolean> {
  return (await tx.run(OPEN_FENCE, [tenantId, by])).rowCount > 0;
}

/** A tenant of a cell, and what its fence is like. */
export interface FencedTenant {
  readonly tenantId: TenantId;
  readonly fence: TenantFence | null;
  readonly fenceBy: string | null;
  readonly state: TenantState;
}

const FIND_FENCE = statement('fence_find')`select tenant_id, fence, fence_by, state from tenants where tenant_id = $1`;

/** Null when the tenant is not in this cell. */
export async function findFence(db: SqlRunner, tenantId: TenantId): Promise<FencedTenant | null> {
  return (await db.run<FencedTenant>(FIND_FENCE, [tenantId])).rows[0] ?? null;
}

const LIST_FENCES = statement('fence_list')`
select tenant_id, fence, fence_by, state from tenants where fence is not null order by tenant_id`;

/** The tenants that are on their way from or to this cell. */
export async function listFences(db: SqlRunner): Promise<readonly FencedTenant[]> {
  return (await db.run<FencedTenant>(LIST_FENCES, [])).rows;
}

const PUT_TENANT = statement('fence_put_tenant')`
insert into tenants select r.* from json_populate_record(null::tenants, $1::json) r
on conflict (tenant_id) do nothing`;
const DELETE_TENANT = statement('fence_delete_tenant')`delete from tenants where tenant_id = $1`;
const READ_TENANT = statement('fence_read_tenant')`
select (to_jsonb(t) || jsonb_build_object('fence', $2::text, 'fence_by', $3::text))::text as line from tenants t where t.tenant_id = $1`;

/** The row of the tenant itself, as it is put into the other cell. */
export async function readTenantRow(
  db: SqlRunner,
  { tenantId, fence, by }: { readonly tenantId: TenantId; readonly fence: TenantFence; readonly by: string },
): Promise<string | null> {
  return (await db.run<{ line: string }>(READ_TENANT, [tenantId, fence, by])).rows[0]?.line ?? null;
}

export async function putTenantRow(tx: Transaction, tenantId: TenantId, line: string): Promise<void> {
  await tx.run(DELETE_TENANT, [tenantId]);
  await tx.run(PUT_TENANT, [line]);
}

const HAS_CITUS = statement('fence_has_citus')`select to_regclass('pg_catalog.pg_dist_partition') is not null as there`;
const IS_DISTRIBUTED = statement('fence_is_distributed')`
select 1 as one from pg_catalog.pg_dist_partition where logicalrelid = to_regclass('tenants')`;

/** Whether Citus has the tables of this cell: it refuses triggers on them. */
export async function isDistributed(db: SqlRunner): Promise<boolean> {
  const { rows } = await db.run<{ there: boolean }>(HAS_CITUS, []);
  return rows[0]?.there === true && (await db.run(IS_DISTRIBUTED, [])).rowCount > 0;
}
