import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { ImportFormat } from '#contacts/domain/contact-import';
import type { CampaignId, ImportId, MediaId, TenantId } from '#core/ids';
import type { SqlRunner, Statement } from '#database/database';

/** A file of recipients that is brought into a draft. */
export interface CampaignImport {
  readonly tenantId: TenantId;
  readonly importId: ImportId;
  readonly campaignId: CampaignId;
  readonly mediaId: MediaId;
  readonly format: ImportFormat;
  readonly mapping: Readonly<Record<string, string>> | null;
  readonly dryRun: boolean;
  readonly status: 'queued' | 'running' | 'completed' | 'failed';
  /** Rows that are done: the sum of the counts that follow. */
  readonly total: number;
  readonly added: number;
  readonly duplicates: number;
  readonly invalid: number;
  readonly error: string | null;
  readonly createdMs: number;
  readonly finishedMs: number | null;
}

type ImportKey = Pick<CampaignImport, 'tenantId' | 'importId'>;

/** A row that did not become a recipient. */
export interface RecipientFault {
  /** Counted from 1, without the header. */
  readonly row: number;
  readonly outcome: 'duplicate' | 'invalid';
  readonly reason: string;
}

const CAMPAIGN_IMPORT_ADD: Statement = {
  name: 'campaign_import_add',
  text: `
insert into campaign_imports (
  tenant_id, import_id, campaign_id, media_id, format, mapping, dry_run, status, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, 'queued', $8, $8)`,
};

export async function addCampaignImport(tx: SqlRunner, added: CampaignImport): Promise<void> {
  const { tenantId, importId, campaignId, mediaId, format, mapping, dryRun, createdMs } = added;
  const written = mapping && JSON.stringify(mapping);
  await tx.run(CAMPAIGN_IMPORT_ADD, [tenantId, importId, campaignId, mediaId, format, written, dryRun, createdMs]);
}

const CAMPAIGN_IMPORT_FIND: Statement = {
  name: 'campaign_import_find',
  text: 'select * from campaign_imports where tenant_id = $1 and import_id = $2',
};

export async function findCampaignImport(
  db: SqlRunner,
  tenantId: TenantId,
  importId: string,
): Promise<CampaignImport | null> {
  const { rows } = await db.run<ImportRow>(CAMPAIGN_IMPORT_FIND, [tenantId, importId]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const CAMPAIGN_IMPORT_CLAIM: Statement = {
  name: 'campaign_import_claim',
  text: `
update campaign_imports i set status = 'running', lease_until_ms = $2, updated_ms = $1
from (
  select tenant_id, import_id from campaign_imports where finished_ms is null and lease_until_ms <= $1
    and tenant_id <> all(${INACTIVE_TENANTS})
  order by lease_until_ms limit 1 for update skip locked
) due
where i.tenant_id = due.tenant_id and i.import_id = due.import_id
returning i.*`,
};

/** Takes an import that nobody works on, of any tenant. */
export async function claimCampaignImport(
  db: SqlRunner,
  nowMs: number,
  untilMs: number,
): Promise<CampaignImport | null> {
  const { rows } = await db.run<ImportRow>(CAMPAIGN_IMPORT_CLAIM, [nowMs, untilMs]);
  return rows[0] === undefined ? null : toImport(rows[0]);
}

const ADVANCE: Statement = {
  name: 'campaign_import_advance',
  text: `
update campaign_imports set total = total + $4, added = added + $5, duplicates = duplicates + $6, invalid = invalid + $7,
  lease_until_ms = $8, updated_ms = $9
where tenant_id = $1 and import_id = $2 and total = $3 and finished_ms is null`,
};
const FAULTS: Statement = {
  name: 'campaign_import_faults',
  text: `
insert into campaign_import_errors (tenant_id, import_id, row_number, outcome, reason)
select $1, $2, f.* from unnest($3::int[], $4::text[], $5::text[]) as f`,
};

export interface CampaignImportStep {
  readonly of: ImportKey;
  /** Rows that were done before: another process that did the same rows meanwhile makes this false. */
  readonly doneBefore: number;
  readonly added: number;
  readonly faults: readonly RecipientFault[];
  readonly leaseUntilMs: number;
  readonly nowMs: number;
}

/** Notes a portion as done. @returns false when another process did it */
export async function advanceCampaignImport(tx: SqlRunner, step: CampaignImportStep): Promise<boolean> {
  const { of, doneBefore, added, faults, leaseUntilMs, nowMs } = step;
  const ids = [of.tenantId, of.importId];
  const invalid = faults.filter(({ outcome }) => outcome === 'invalid').length;
  const counts = [added + faults.length, added, faults.length - invalid, invalid];
  if ((await tx.run(ADVANCE, [...ids, doneBefore, ...counts, leaseUntilMs, nowMs])).rowCount === 0) return false;
  if (faults.length === 0) return true;
  const columns = [
    faults.map(({ row }) => row),
    faults.map(({ outcome }) => outcome),
    faults.map(({ reason }) => reason),
  ];
  await tx.run(FAULTS, [...ids, ...columns]);
  return true;
}

const CAMPAIGN_IMPORT_FINISH: Statement = {
  name: 'campaign_import_finish',
  text: `
update campaign_imports set status = $3, error = $4, finished_ms = $5, updated_ms = $5
where tenant_id = $1 and import_id = $2 and finished_ms is null`,
};

/** Ends an import. @param error why it was not brought in to its end; null: it was */
export async function finishCampaignImport(
  db: SqlRunner,
  { tenantId, importId }: ImportKey,
  { error, nowMs }: { readonly error: string | null; readonly nowMs: number },
): Promise<void> {
  await db.run(CAMPAIGN_IMPORT_FINISH, [tenantId, importId, error === null ? 'completed' : 'failed', error, nowMs]);
}

const LIST_FAULTS: Statement = {
  name: 'campaign_import_list_faults',
  text: `
select row_number, outcome, reason from campaign_import_errors
where tenant_id = $1 and import_id = $2 and row_number > $3 order by row_number limit $4`,
};

/** Rows that did not become recipients, in the order of the file. @param afterRow only rows behind this one */
export async function listRecipientFaults(
  db: SqlRunner,
  { tenantId, importId }: ImportKey,
  afterRow: number,
  limit: number,
): Promise<readonly RecipientFault[]> {
  const { rows } = await db.run<{ row_number: number; outcome: RecipientFault['outcome']; reason: string }>(
    LIST_FAULTS,
    [tenantId, importId, afterRow, limit],
  );
  return rows.map((row) => ({ row: row.row_number, outcome: row.outcome, reason: row.reason }));
}

interface ImportRow {
  readonly tenant_id: TenantId;
  readonly import_id: ImportId;
  readonly campaign_id: CampaignId;
  readonly media_id: MediaId;
  readonly format: ImportFormat;
  readonly mapping: Readonly<Record<string, string>> | null;
  readonly dry_run: boolean;
  readonly status: CampaignImport['status'];
  readonly total: number;
  readonly added: number;
  readonly duplicates: number;
  readonly invalid: number;
  readonly error: string | null;
  readonly created_ms: number;
  readonly finished_ms: number | null;
}

function toImport(row: ImportRow): CampaignImport {
  const { format, mapping, status, total, added, duplicates, invalid, error } = row;
  return {
    ...{ format, mapping, status, total, added, duplicates, invalid, error },
    tenantId: row.tenant_id,
    importId: row.import_id,
    campaignId: row.campaign_id,
    mediaId: row.media_id,
    dryRun: row.dry_run,
    createdMs: Number(row.created_ms),
    finishedMs: row.finished_ms === null ? null : Number(row.finished_ms),
  };
}
