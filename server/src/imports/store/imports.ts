import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import {
  IMPORT_OUTCOMES,
  type Import,
  type ImportKind,
  type ImportOutcome,
  type ImportStatus,
} from '#imports/domain/import';

export type ImportKey = Pick<Import, 'tenantId' | 'importId'>;

/** A row that brought nothing in. */
export interface ImportFault {
  /** Counted from 1, without the header. */
  readonly row: number;
  readonly outcome: ImportOutcome;
  readonly reason: string;
}

const IMPORT_ADD = statement('import_add')`
insert into imports (
  tenant_id, import_id, kind, media_id, format, mapping, dry_run, mode, match_on, campaign_id, status, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, 'queued', $11, $11)`;

export async function addImport(tx: SqlRunner, added: Import): Promise<void> {
  const { tenantId, importId, kind, mediaId, format, mapping, dryRun, createdMs } = added;
  const common = [tenantId, importId, kind, mediaId, format, mapping && JSON.stringify(mapping), dryRun];
  const own = added.kind === 'contacts' ? [added.mode, added.matchOn, null] : [null, null, added.campaignId];
  await tx.run(IMPORT_ADD, [...common, ...own, createdMs]);
}

/** What of a row is the import. A check of the table says which of mode, match_on and campaign_id a kind has. */
const IMPORT = `
  i.tenant_id, i.import_id, i.kind, i.media_id, i.format, i.mapping, i.dry_run, i.mode, i.match_on, i.campaign_id, i.status,
  i.total, i.error, i.created_ms, i.finished_ms,
  json_build_object(${IMPORT_OUTCOMES.map((outcome) => `'${outcome}', i.${outcome}`).join(', ')}) as counts`;

const IMPORT_FIND = statement('import_find')`
select ${IMPORT} from imports i where i.tenant_id = $1 and i.import_id = $2 and i.kind = $3`;

/** @returns null when the tenant has no such import of this kind */
export function findImport(
  db: SqlRunner,
  { tenantId, importId }: { readonly tenantId: TenantId; readonly importId: string },
  kind: ImportKind,
): Promise<Import | null> {
  return firstRow(db.run<Import>(IMPORT_FIND, [tenantId, importId, kind]));
}

const IMPORT_CLAIM = statement('import_claim')`
with changed as (
  update imports i set status = 'running', leased_until_ms = $2, updated_ms = $1
  from (
    select tenant_id, import_id from imports where finished_ms is null and leased_until_ms <= $1 and kind = $3
      and tenant_id <> all(${INACTIVE_TENANTS})
    order by leased_until_ms limit 1 for update skip locked
  ) due
  where i.tenant_id = due.tenant_id and i.import_id = due.import_id
  returning i.*
)
select ${IMPORT} from changed i`;

/** Takes an import that nobody works on, of any tenant. */
export function claimImport(
  db: SqlRunner,
  kind: ImportKind,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<Import | null> {
  return firstRow(db.run<Import>(IMPORT_CLAIM, [nowMs, untilMs, kind]));
}

const IMPORT_ADVANCE = statement('import_advance')`
update imports set total = total + $4, leased_until_ms = $5, updated_ms = $6,
  ${IMPORT_OUTCOMES.map((outcome, index) => `${outcome} = ${outcome} + $${index + 7}`).join(', ')}
where tenant_id = $1 and import_id = $2 and total = $3 and finished_ms is null`;
const IMPORT_ADD_FAULTS = statement('import_faults')`
insert into import_errors (tenant_id, import_id, row_number, outcome, reason)
select $1, $2, f.* from unnest($3::int[], $4::text[], $5::text[]) as f`;

/** What became of a row, and why it brought nothing in. */
export interface RowOutcome {
  readonly outcome: ImportOutcome;
  readonly reason?: string;
}

export interface ImportStep {
  readonly of: ImportKey;
  /** Rows that were done before: another process that did the same rows meanwhile makes this false. */
  readonly doneBefore: number;
  /** In the order of the file. */
  readonly rows: readonly RowOutcome[];
  readonly leaseUntilMs: number;
  readonly nowMs: number;
}

/** Notes a portion as done. @returns false when another process did it */
export async function advanceImport(tx: SqlRunner, step: ImportStep): Promise<boolean> {
  const { of, doneBefore, rows, leaseUntilMs, nowMs } = step;
  const ids = [of.tenantId, of.importId];
  const counts = IMPORT_OUTCOMES.map((counted) => rows.filter(({ outcome }) => outcome === counted).length);
  const values = [...ids, doneBefore, rows.length, leaseUntilMs, nowMs, ...counts];
  if ((await tx.run(IMPORT_ADVANCE, values)).rowCount === 0) return false;
  const faults = rows.flatMap(({ outcome, reason }, index) =>
    reason === undefined ? [] : [{ row: doneBefore + index + 1, outcome, reason }],
  );
  if (faults.length === 0) return true;
  await tx.run(IMPORT_ADD_FAULTS, [...ids, ...columnsOf(faults, 'row', 'outcome', 'reason')]);
  return true;
}

const IMPORT_FINISH = statement('import_finish')`
with changed as (
  update imports i set status = $3, error = $4, finished_ms = $5, updated_ms = $5
  where i.tenant_id = $1 and i.import_id = $2 and i.finished_ms is null
  returning i.*
)
select ${IMPORT} from changed i`;

/**
 * Ends an import.
 * @param error why the file was not brought in to its end; null: it was
 * @returns it as it now is; null when it had ended before
 */
export function finishImport(
  tx: SqlRunner,
  { tenantId, importId }: ImportKey,
  { error, nowMs }: { readonly error: string | null; readonly nowMs: number },
): Promise<Import | null> {
  const status: ImportStatus = error === null ? 'completed' : 'failed';
  return firstRow(tx.run<Import>(IMPORT_FINISH, [tenantId, importId, status, error, nowMs]));
}

const IMPORT_LIST_FAULTS = statement('import_list_faults')`
select row_number as row, outcome, reason from import_errors
where tenant_id = $1 and import_id = $2 and row_number > $3 order by row_number limit $4`;

/** Rows that brought nothing in, in the order of the file. @param afterRow only rows behind this one */
export async function listFaults(
  db: SqlRunner,
  { tenantId, importId }: ImportKey,
  afterRow: number,
  limit: number,
): Promise<readonly ImportFault[]> {
  return (await db.run<ImportFault>(IMPORT_LIST_FAULTS, [tenantId, importId, afterRow, limit])).rows;
}
