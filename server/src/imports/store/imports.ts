import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { CampaignId, ImportId, MediaId, TenantId } from '#core/ids';
import type { SqlRunner, Statement } from '#database/database';
import {
  IMPORT_OUTCOMES,
  type Import,
  type ImportFormat,
  type ImportKind,
  type ImportMapping,
  type ImportMatch,
  type ImportMode,
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

const IMPORT_ADD: Statement = {
  name: 'import_add',
  text: `
insert into imports (
  tenant_id, import_id, kind, media_id, format, mapping, dry_run, mode, match_on, campaign_id, status, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, 'queued', $11, $11)`,
};

export async function addImport(tx: SqlRunner, added: Import): Promise<void> {
  const { tenantId, importId, kind, mediaId, format, mapping, dryRun, createdMs } = added;
  const common = [tenantId, importId, kind, mediaId, format, mapping && JSON.stringify(mapping), dryRun];
  const own = added.kind === 'contacts' ? [added.mode, added.matchOn, null] : [null, null, added.campaignId];
  await tx.run(IMPORT_ADD, [...common, ...own, createdMs]);
}

const IMPORT_FIND: Statement = {
  name: 'import_find',
  text: 'select * from imports where tenant_id = $1 and import_id = $2 and kind = $3',
};

/** @returns null when the tenant has no such import of this kind */
export async function findImport(
  db: SqlRunner,
  { tenantId, importId }: { readonly tenantId: TenantId; readonly importId: string },
  kind: ImportKind,
): Promise<Import | null> {
  const { rows } = await db.run<ImportRow>(IMPORT_FIND, [tenantId, importId, kind]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const IMPORT_CLAIM: Statement = {
  name: 'import_claim',
  text: `
update imports i set status = 'running', leased_until_ms = $2, updated_ms = $1
from (
  select tenant_id, import_id from imports where finished_ms is null and leased_until_ms <= $1 and kind = $3
    and tenant_id <> all(${INACTIVE_TENANTS})
  order by leased_until_ms limit 1 for update skip locked
) due
where i.tenant_id = due.tenant_id and i.import_id = due.import_id
returning i.*`,
};

/** Takes an import that nobody works on, of any tenant. */
export async function claimImport(
  db: SqlRunner,
  kind: ImportKind,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<Import | null> {
  const { rows } = await db.run<ImportRow>(IMPORT_CLAIM, [nowMs, untilMs, kind]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const IMPORT_ADVANCE: Statement = {
  name: 'import_advance',
  text: `
update imports set total = total + $4, leased_until_ms = $5, updated_ms = $6,
  ${IMPORT_OUTCOMES.map((outcome, index) => `${outcome} = ${outcome} + $${index + 7}`).join(', ')}
where tenant_id = $1 and import_id = $2 and total = $3 and finished_ms is null`,
};
const IMPORT_ADD_FAULTS: Statement = {
  name: 'import_faults',
  text: `
insert into import_errors (tenant_id, import_id, row_number, outcome, reason)
select $1, $2, f.* from unnest($3::int[], $4::text[], $5::text[]) as f`,
};

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
  const columns = [
    faults.map(({ row }) => row),
    faults.map(({ outcome }) => outcome),
    faults.map(({ reason }) => reason),
  ];
  await tx.run(IMPORT_ADD_FAULTS, [...ids, ...columns]);
  return true;
}

const IMPORT_FINISH: Statement = {
  name: 'import_finish',
  text: `
update imports set status = $3, error = $4, finished_ms = $5, updated_ms = $5
where tenant_id = $1 and import_id = $2 and finished_ms is null
returning *`,
};

/**
 * Ends an import.
 * @param error why the file was not brought in to its end; null: it was
 * @returns it as it now is; null when it had ended before
 */
export async function finishImport(
  tx: SqlRunner,
  { tenantId, importId }: ImportKey,
  { error, nowMs }: { readonly error: string | null; readonly nowMs: number },
): Promise<Import | null> {
  const status: ImportStatus = error === null ? 'completed' : 'failed';
  const { rows } = await tx.run<ImportRow>(IMPORT_FINISH, [tenantId, importId, status, error, nowMs]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const IMPORT_LIST_FAULTS: Statement = {
  name: 'import_list_faults',
  text: `
select row_number as row, outcome, reason from import_errors
where tenant_id = $1 and import_id = $2 and row_number > $3 order by row_number limit $4`,
};

/** Rows that brought nothing in, in the order of the file. @param afterRow only rows behind this one */
export async function listFaults(
  db: SqlRunner,
  { tenantId, importId }: ImportKey,
  afterRow: number,
  limit: number,
): Promise<readonly ImportFault[]> {
  return (await db.run<ImportFault>(IMPORT_LIST_FAULTS, [tenantId, importId, afterRow, limit])).rows;
}

interface ImportRow extends Readonly<Record<ImportOutcome, number>> {
  readonly tenant_id: TenantId;
  readonly import_id: ImportId;
  readonly kind: ImportKind;
  readonly media_id: MediaId;
  readonly format: ImportFormat;
  readonly mapping: ImportMapping;
  readonly dry_run: boolean;
  readonly mode: ImportMode | null;
  readonly match_on: ImportMatch | null;
  readonly campaign_id: CampaignId | null;
  readonly status: ImportStatus;
  readonly total: number;
  readonly error: string | null;
  readonly created_ms: number;
  readonly finished_ms: number | null;
}

function toImport(row: ImportRow): Import {
  const { kind, format, mapping, status, total, error } = row;
  // A check of the table says which of mode, match_on and campaign_id a kind has.
  return {
    ...{ kind, format, mapping, status, total, error, counts: row },
    tenantId: row.tenant_id,
    importId: row.import_id,
    mediaId: row.media_id,
    dryRun: row.dry_run,
    mode: row.mode,
    matchOn: row.match_on,
    campaignId: row.campaign_id,
    createdMs: Number(row.created_ms),
    finishedMs: row.finished_ms === null ? null : Number(row.finished_ms),
  } as Import;
}
