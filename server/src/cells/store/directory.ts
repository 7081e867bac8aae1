import type { Cell, CellState } from '#cells/domain/cell';
import { type SqlRunner, type Statement, statement } from '#database/database';

/*
 * The directory: which cells there are, and in which one a tenant lives. It is beside the tables of the main cell, in a schema whose
 * name no role has by chance: PostgreSQL would put the tables of a role `postrider` into a schema of that name.
 */

const IS_THERE = statement('directory_is_there')`select to_regclass('postrider_directory.cells') is not null as there`;

/** Whether this database has a directory. Without one, its tenants live in it and nowhere else. */
export async function hasDirectory(db: SqlRunner): Promise<boolean> {
  return (await db.run<{ there: boolean }>(IS_THERE, [])).rows[0]?.there === true;
}

const MAKE = [
  'create schema if not exists postrider_directory',
  `create table if not exists postrider_directory.cells (
    cell_id text primary key, schema_name text, url text, url_key_id text, state text not null, added_ms bigint not null)`,
  `create table if not exists postrider_directory.tenant_cells (
    tenant_id uuid primary key, cell_id text not null)`,
  `create table if not exists postrider_directory.key_cells (
    key_hash text primary key, tenant_id uuid not null)`,
  `create table if not exists postrider_directory.number_cells (
    phone_number_id text primary key, tenant_id uuid not null)`,
  `create table if not exists postrider_directory.tenant_moves (
    tenant_id uuid primary key, from_cell text not null, to_cell text not null, step text not null,
    holder text not null, lease_until_ms bigint not null, started_ms bigint not null)`,
  `create table if not exists postrider_directory.restores (
    backup_id text primary key, started_ms bigint not null)`,
];

/** Makes the tables of the directory where they are missing. */
export async function makeDirectory(db: SqlRunner): Promise<void> {
  for (const text of MAKE) await db.run(unprepared(text), []);
}

function unprepared(text: string): Statement {
  return { name: '', text };
}

interface CellRow {
  readonly cellId: string;
  readonly schemaName: string | null;
  readonly url: string | null;
  readonly urlKeyId: string | null;
  readonly state: CellState;
  readonly addedMs: number;
}

const LIST = statement('cell_list')`
select cell_id, schema_name, url, url_key_id, state, added_ms from postrider_directory.cells order by added_ms, cell_id`;

/** The cells besides the main one, in the order in which they were added. */
export async function listAddedCells(db: SqlRunner): Promise<readonly Cell[]> {
  const { rows } = await db.run<CellRow>(LIST, []);
  return rows.map(({ schemaName, url, urlKeyId, ...cell }) => ({
    ...cell,
    schema: schemaName,
    url: url === null || urlKeyId === null ? null : { sealed: url, keyId: urlKeyId },
  }));
}

const SAVE = statement('cell_save')`
insert into postrider_directory.cells (cell_id, schema_name, url, url_key_id, state, added_ms)
values ($1, $2, $3, $4, $5, $6)
on conflict (cell_id) do update set
  schema_name = excluded.schema_name, url = excluded.url, url_key_id = excluded.url_key_id, state = excluded.state`;

export async function saveCell(db: SqlRunner, { cellId, schema, url, state, addedMs }: Cell): Promise<void> {
  await db.run(SAVE, [cellId, schema, url?.sealed ?? null, url?.keyId ?? null, state, addedMs]);
}

/** What the directory keeps beside the cells: whose a key or a number is. Tenants are kept as themselves. */
export type KeptKind = 'key' | 'number' | 'tenant';

export interface Kept {
  readonly name: string;
  readonly tenantId: string;
  readonly cellId: string;
}

const FIND: Readonly<Record<KeptKind, Statement>> = {
  key: statement('directory_keys')`
select k.key_hash as name, k.tenant_id, t.cell_id from postrider_directory.key_cells k
join postrider_directory.tenant_cells t on t.tenant_id = k.tenant_id where k.key_hash = any($1::text[])`,
  number: statement('directory_numbers')`
select n.phone_number_id as name, n.tenant_id, t.cell_id from postrider_directory.number_cells n
join postrider_directory.tenant_cells t on t.tenant_id = n.tenant_id where n.phone_number_id = any($1::text[])`,
  tenant: statement('directory_tenants')`
select tenant_id::text as name, tenant_id, cell_id from postrider_directory.tenant_cells where tenant_id = any($1::uuid[])`,
};

/** What the directory knows of these names; the others are absent. */
export async function findKept(db: SqlRunner, kind: KeptKind, names: readonly string[]): Promise<readonly Kept[]> {
  return (await db.run<Kept>(FIND[kind], [names])).rows;
}

const KEEP_TENANTS = statement('directory_keep_tenants')`
insert into postrider_directory.tenant_cells (tenant_id, cell_id)
select * from unnest($1::uuid[], $2::text[]) order by 1 on conflict do nothing`;

/** Records where tenants live; one whose cell is known stays there. @returns how many were new */
export async function keepTenants(
  db: SqlRunner,
  tenants: readonly { readonly tenantId: string; readonly cellId: string }[],
): Promise<number> {
  const [ids, cells] = [tenants.map((tenant) => tenant.tenantId), tenants.map((tenant) => tenant.cellId)];
  return (await db.run(KEEP_TENANTS, [ids, cells])).rowCount;
}

const KEEP: Readonly<Record<'key' | 'number', Statement>> = {
  key: statement('directory_keep_keys')`
insert into postrider_directory.key_cells as k (key_hash, tenant_id)
select * from unnest($1::text[], $2::uuid[]) order by 1
on conflict (key_hash) do update set tenant_id = excluded.tenant_id where k.tenant_id <> excluded.tenant_id`,
  number: statement('directory_keep_numbers')`
insert into postrider_directory.number_cells as n (phone_number_id, tenant_id)
select * from unnest($1::text[], $2::uuid[]) order by 1
on conflict (phone_number_id) do update set tenant_id = excluded.tenant_id where n.tenant_id <> excluded.tenant_id`,
};

/** Records whose keys or numbers these are. A name must be in the list once. @returns how many were new or another's */
export async function keepNames(
  db: SqlRunner,
  kind: 'key' | 'number',
  names: readonly { readonly name: string; readonly tenantId: string }[],
): Promise<number> {
  const values = [names.map((one) => one.name), names.map((one) => one.tenantId)];
  return (await db.run(KEEP[kind], values)).rowCount;
}

const FORGET: readonly Statement[] = [
  statement('directory_forget_keys')`
delete from postrider_directory.key_cells where tenant_id = $1`,
  statement('directory_forget_numbers')`
delete from postrider_directory.number_cells where tenant_id = $1`,
  statement('directory_forget_tenant')`
delete from postrider_directory.tenant_cells where tenant_id = $1`,
];

/** Forgets a tenant that is gone, with its keys and numbers. */
export async function forgetTenant(db: SqlRunner, tenantId: string): Promise<void> {
  for (const forget of FORGET) await db.run(forget, [tenantId]);
}

const TENANTS = statement('directory_list_tenants')`
select tenant_id::text, cell_id from postrider_directory.tenant_cells order by tenant_id`;

/** Where each tenant lives, as far as the directory knows. */
export async function listPlaces(
  db: SqlRunner,
): Promise<readonly { readonly tenantId: string; readonly cellId: string }[]> {
  return (await db.run<{ tenantId: string; cellId: string }>(TENANTS, [])).rows;
}
