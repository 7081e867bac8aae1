import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type {
  ImportCounts,
  ImportFormat,
  ImportMatch,
  ImportMode,
  ImportStatus,
} from '#contacts/domain/contact-import';
import type { ImportId, MediaId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import type { SqlRunner, Statement } from '#database/database';

/** A file of contacts that is brought in. */
export interface ContactImport extends ImportCounts {
  readonly tenantId: TenantId;
  readonly importId: ImportId;
  readonly mediaId: MediaId;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly matchOn: ImportMatch;
  readonly mapping: Readonly<Record<string, string>> | null;
  readonly dryRun: boolean;
  readonly status: ImportStatus;
  /** Rows that are done. */
  readonly total: number;
  readonly error: string | null;
  readonly createdMs: number;
  readonly finishedMs: number | null;
}

/** A row that did not become a contact. */
export interface ImportFault {
  /** Counted from 1, without the header. */
  readonly row: number;
  readonly outcome: 'skipped' | 'failed' | 'invalid' | 'duplicate_in_file';
  readonly reason: string;
}

const IMPORT_ADD: Statement = {
  name: 'import_add',
  text: `
insert into imports (tenant_id, import_id, media_id, format, mode, match_on, mapping, dry_run, status, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, 'queued', $9, $9)`,
};

export async function addImport(tx: SqlRunner, added: ContactImport): Promise<void> {
  const { tenantId, importId, mediaId, format, mode, matchOn, mapping, dryRun, createdMs } = added;
  const written = mapping === null ? null : JSON.stringify(mapping);
  await tx.run(IMPORT_ADD, [tenantId, importId, mediaId, format, mode, matchOn, written, dryRun, createdMs]);
}

const IMPORT_FIND: Statement = {
  name: 'import_find',
  text: 'select * from imports where tenant_id = $1 and import_id = $2',
};

export async function findImport(db: SqlRunner, tenantId: TenantId, importId: string): Promise<ContactImport | null> {
  const { rows } = await db.run<ImportRow>(IMPORT_FIND, [tenantId, importId]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const IMPORT_LIST: Statement = {
  name: 'import_list',
  text: `
select * from imports where tenant_id = $1 and ($2::uuid is null or import_id < $2::uuid)
order by import_id desc limit $3 offset $4`,
};

/** Newest first. */
export async function listImports(db: SqlRunner, tenantId: TenantId, window: ListWindow): Promise<Page<ContactImport>> {
  const { rows } = await db.run<ImportRow>(IMPORT_LIST, [tenantId, window.beforeId, window.limit + 1, window.offset]);
  return { items: rows.slice(0, window.limit).map(toImport), hasMore: rows.length > window.limit };
}

const IMPORT_CLAIM: Statement = {
  name: 'import_claim',
  text: `
update imports i set status = 'running', lease_until_ms = $2, updated_ms = $1
from (
  select tenant_id, import_id from imports where finished_ms is null and lease_until_ms <= $1
    and tenant_id <> all(${INACTIVE_TENANTS})
  order by lease_until_ms limit 1 for update skip locked
) due
where i.tenant_id = due.tenant_id and i.import_id = due.import_id
returning i.*`,
};

/** Takes an import that nobody works on, of any tenant. */
export async function claimImport(db: SqlRunner, nowMs: number, untilMs: number): Promise<ContactImport | null> {
  const { rows } = await db.run<ImportRow>(IMPORT_CLAIM, [nowMs, untilMs]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const ADVANCE: Statement = {
  name: 'import_advance',
  text: `
update imports set
  total = total + $4, created = created + $5, updated = updated + $6, unchanged = unchanged + $7, skipped = skipped + $8,
  failed = failed + $9, invalid = invalid + $10, duplicate_in_file = duplicate_in_file + $11,
  lease_until_ms = $12, updated_ms = $13
where tenant_id = $1 and import_id = $2 and total = $3 and finished_ms is null`,
};
const FAULTS: Statement = {
  name: 'import_faults',
  text: `
insert into import_errors (tenant_id, import_id, row_number, outcome, reason)
select $1, $2, f.* from unnest($3::int[], $4::text[], $5::text[]) as f`,
};

export interface ImportStep {
  readonly of: Pick<ContactImport, 'tenantId' | 'importId'>;
  /** Rows that were done before: another process that did the same rows meanwhile makes this false. */
  readonly doneBefore: number;
  readonly rows: number;
  readonly counts: ImportCounts;
  readonly faults: readonly ImportFault[];
  readonly leaseUntilMs: number;
  readonly nowMs: number;
}

/** Notes a portion as done. @returns false when another process did it */
export async function advanceImport(tx: SqlRunner, step: ImportStep): Promise<boolean> {
  const { of, counts, faults } = step;
  const { created, updated, unchanged, skipped, failed, invalid, duplicateInFile } = counts;
  const sums = [created, updated, unchanged, skipped, failed, invalid, duplicateInFile];
  const ids = [of.tenantId, of.importId];
  const values = [...ids, step.doneBefore, step.rows, ...sums, step.leaseUntilMs, step.nowMs];
  if ((await tx.run(ADVANCE, values)).rowCount === 0) return false;
  if (faults.length === 0) return true;
  const columns = [
    faults.map(({ row }) => row),
    faults.map(({ outcome }) => outcome),
    faults.map(({ reason }) => reason),
  ];
  await tx.run(FAULTS, [...ids, ...columns]);
  return true;
}

const IMPORT_FINISH: Statement = {
  name: 'import_finish',
  text: `
update imports set status = $3, error = $4, finished_ms = $5, updated_ms = $5
where tenant_id = $1 and import_id = $2 and finished_ms is null
returning *`,
};

/** Ends an import. @returns it as it now is; null when it had ended before */
export async function finishImport(
  tx: SqlRunner,
  of: Pick<ContactImport, 'tenantId' | 'importId'>,
  end: { readonly status: 'completed' | 'failed'; readonly error: string | null; readonly nowMs: number },
): Promise<ContactImport | null> {
  const { rows } = await tx.run<ImportRow>(IMPORT_FINISH, [of.tenantId, of.importId, end.status, end.error, end.nowMs]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const LIST_FAULTS: Statement = {
  name: 'import_list_faults',
  text: `
select row_number, outcome, reason from import_errors
where tenant_id = $1 and import_id = $2 and row_number > $3 order by row_number limit $4`,
};

/** Rows that did not become contacts, in the order of the file. @param afterRow only rows behind this one */
export async function listFaults(
  db: SqlRunner,
  of: Pick<ContactImport, 'tenantId' | 'importId'>,
  afterRow: number,
  limit: number,
): Promise<readonly ImportFault[]> {
  const { rows } = await db.run<{ row_number: number; outcome: ImportFault['outcome']; reason: string }>(LIST_FAULTS, [
    of.tenantId,
    of.importId,
    afterRow,
    limit,
  ]);
  return rows.map((row) => ({ row: row.row_number, outcome: row.outcome, reason: row.reason }));
}

interface ImportRow {
  readonly tenant_id: TenantId;
  readonly import_id: ImportId;
  readonly media_id: MediaId;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly match_on: ImportMatch;
  readonly mapping: JsonObject | null;
  readonly dry_run: boolean;
  readonly status: ContactImport['status'];
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly invalid: number;
  readonly duplicate_in_file: number;
  readonly error: string | null;
  readonly created_ms: number;
  readonly finished_ms: number | null;
}

function toImport(row: ImportRow): ContactImport {
  return {
    tenantId: row.tenant_id,
    importId: row.import_id,
    mediaId: row.media_id,
    format: row.format,
    mode: row.mode,
    matchOn: row.match_on,
    mapping: row.mapping as ContactImport['mapping'],
    dryRun: row.dry_run,
    status: row.status,
    total: row.total,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    skipped: row.skipped,
    failed: row.failed,
    invalid: row.invalid,
    duplicateInFile: row.duplicate_in_file,
    error: row.error,
    createdMs: Number(row.created_ms),
    finishedMs: row.finished_ms === null ? null : Number(row.finished_ms),
  };
}
