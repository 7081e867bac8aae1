import { isUuid, type TemplateId, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { columnsOf } from '#database/arrays';
import { type Database, type SqlRunner, type Statement, statement, type Transaction } from '#database/database';
import { firstRow, pageOf } from '#database/rows';
import type { TemplateCategory } from '#templates/domain/definition';
import type { TemplateStatus } from '#templates/domain/status';
import type { Template } from '#templates/domain/template';

const TEMPLATE_INSERT = statement('template_insert')`
insert into templates (
  tenant_id, template_id, network_account_id, name, language, created_ms, network_template_id, category,
  previous_category, correct_category, status, reason, quality, parameter_format, components, message_ttl_s, version,
  submitted_version, submitted_ms, live, synced_ms, told_ms, deleted_ms, updated_ms, library)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::jsonb, $16, $17, $18, $19, $20::jsonb, $21,
  $22::jsonb, $23, $24, $25::jsonb)
on conflict do nothing`;

/** @returns false when the account has a template of this name and language already */
export async function insertTemplate(tx: Transaction, template: Template): Promise<boolean> {
  const { tenantId, templateId, networkAccountId, name, language, createdMs } = template;
  const values = [tenantId, templateId, networkAccountId, name, language, createdMs, ...changing(template)];
  return (await tx.run(TEMPLATE_INSERT, values)).rowCount > 0;
}

const TEMPLATE_SAVE = statement('template_save')`
update templates set network_template_id = $3, category = $4, previous_category = $5, correct_category = $6, status = $7,
  reason = $8, quality = $9, parameter_format = $10, components = $11::jsonb, message_ttl_s = $12, version = $13,
  submitted_version = $14, submitted_ms = $15, live = $16::jsonb, synced_ms = $17, told_ms = $18::jsonb,
  deleted_ms = $19, updated_ms = $20, library = $21::jsonb
where tenant_id = $1 and template_id = $2`;

/** Writes everything that can change, of a row that the caller has locked. */
export async function saveTemplate(tx: Transaction, template: Template): Promise<void> {
  await tx.run(TEMPLATE_SAVE, [template.tenantId, template.templateId, ...changing(template)]);
}

function changing(template: Template): readonly unknown[] {
  return [
    template.networkTemplateId,
    template.category,
    template.previousCategory,
    template.correctCategory,
    template.status,
    template.reason,
    template.quality,
    template.parameterFormat,
    JSON.stringify(template.components),
    template.messageTtlS,
    template.version,
    template.submittedVersion,
    template.submittedMs,
    template.live === null ? null : JSON.stringify(template.live),
    template.syncedMs,
    JSON.stringify(template.reportedMs),
    template.deletedMs,
    template.updatedMs,
    template.library === null ? null : JSON.stringify(template.library),
  ];
}

const TEMPLATE_FIND = statement('template_find')`
select * from templates where tenant_id = $1 and template_id = $2 and deleted_ms is null`;
const TEMPLATE_LOCK = statement('template_lock')`${TEMPLATE_FIND.text} for update`;

/** Null when there is none, it was deleted, or it is another tenant's. */
export async function findTemplate(db: SqlRunner, tenantId: TenantId, templateId: string): Promise<Template | null> {
  return readOne(db, TEMPLATE_FIND, tenantId, templateId);
}

/** The same, kept from changing until the transaction ends. */
export async function lockTemplate(tx: Transaction, tenantId: TenantId, templateId: string): Promise<Template | null> {
  return readOne(tx, TEMPLATE_LOCK, tenantId, templateId);
}

async function readOne(db: SqlRunner, statement: Statement, tenantId: TenantId, id: string): Promise<Template | null> {
  if (!isUuid(id)) return null;
  const row = await firstRow(db.run<TemplateRow>(statement, [tenantId, id]));
  return row && toTemplate(row);
}

const LOCK_OF_ACCOUNT = statement('template_lock_account')`
select * from templates
where tenant_id = $1 and network_account_id = $2 and deleted_ms is null and (name, language) > ($3, $4)
order by name, language
limit $5
for update`;

/** Templates of one account by name and language, from one on, kept from changing. */
export async function lockTemplatesOfAccount(
  tx: Transaction,
  account: { readonly tenantId: TenantId; readonly networkAccountId: string },
  { after, limit }: { readonly after: Pick<Template, 'name' | 'language'>; readonly limit: number },
): Promise<readonly Template[]> {
  const { tenantId, networkAccountId } = account;
  const values = [tenantId, networkAccountId, after.name, after.language, limit];
  return (await tx.run<TemplateRow>(LOCK_OF_ACCOUNT, values)).rows.map(toTemplate);
}

const LOCK_NAMED = statement('template_lock_named')`
select t.* from templates t
join unnest($3::text[], $4::text[]) as wanted (name, language) on wanted.name = t.name and wanted.language = t.language
where t.tenant_id = $1 and t.network_account_id = $2 and t.deleted_ms is null
order by t.name, t.language
for update of t`;

/** The templates of an account with these names and languages, kept from changing. */
export async function lockNamedTemplates(
  tx: Transaction,
  account: { readonly tenantId: TenantId; readonly networkAccountId: string },
  wanted: readonly Pick<Template, 'name' | 'language'>[],
): Promise<readonly Template[]> {
  const { tenantId, networkAccountId } = account;
  const values = [tenantId, networkAccountId, ...columnsOf(wanted, 'name', 'language')];
  return (await tx.run<TemplateRow>(LOCK_NAMED, values)).rows.map(toTemplate);
}

const LOCK_TOLD = statement('template_lock_told')`
select * from templates
where network_account_id = $1 and name = $2 and language = $3 and deleted_ms is null
  and (network_template_id is null or network_template_id = $4)
order by tenant_id
for update`;

/** Whom the network tells of: over all tenants, because its news names an account and not a tenant. */
export async function lockReportedTemplates(
  tx: Transaction,
  times: Pick<Template, 'networkAccountId' | 'name' | 'language'> & { readonly networkTemplateId: string },
): Promise<readonly Template[]> {
  const { networkAccountId, name, language, networkTemplateId } = times;
  const { rows } = await tx.run<TemplateRow>(LOCK_TOLD, [networkAccountId, name, language, networkTemplateId]);
  return rows.map(toTemplate);
}

export interface TemplateFilter {
  readonly status?: TemplateStatus;
  readonly category?: TemplateCategory;
  readonly language?: string;
  /** Beginning of the name. */
  readonly name?: string;
  /** Anywhere in the name or the texts, case folded. */
  readonly q?: string;
  readonly networkAccountId?: string;
}

/** Templates of a tenant, newest first, deleted ones only when they are asked for. */
export async function listTemplatesPage(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
  filter: TemplateFilter,
  window: ListWindow,
): Promise<Page<Template>> {
  let query = db.kysely.selectFrom('templates').selectAll().where('tenantId', '=', tenantId);
  query =
    filter.status === undefined ? query.where('deletedMs', 'is', null) : query.where('status', '=', filter.status);
  if (filter.category !== undefined) query = query.where('category', '=', filter.category);
  if (filter.language !== undefined) query = query.where('language', '=', filter.language);
  if (filter.networkAccountId !== undefined) query = query.where('networkAccountId', '=', filter.networkAccountId);
  if (filter.name !== undefined) query = query.where('name', 'like', `${likeText(filter.name)}%`);
  if (filter.q !== undefined) {
    const pattern = `%${likeText(filter.q)}%`;
    query = query.where((where) =>
      where.or([
        where('name', 'ilike', pattern),
        where((each) => each.cast<string>('components', 'text'), 'ilike', pattern),
      ]),
    );
  }
  query = query.orderBy('templateId', 'desc').limit(window.limit + 1);
  query =
    window.beforeId === null
      ? query.offset(window.offset)
      : query.where('templateId', '<', window.beforeId as TemplateId);
  const rows = await query.execute();
  return pageOf(rows.map(toTemplate), window.limit);
}

/** A text of a caller inside of a LIKE pattern. */
function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

const COUNT_KNOWN = statement('template_count_known')`
select count(*)::int as count from templates
where tenant_id = $1 and network_account_id = $2 and deleted_ms is null and status <> 'draft'`;

/** How many templates of an account the network knows of. */
export async function countKnownTemplates(
  db: SqlRunner,
  { tenantId, networkAccountId }: Pick<Template, 'tenantId' | 'networkAccountId'>,
): Promise<number> {
  const { rows } = await db.run<{ readonly count: number }>(COUNT_KNOWN, [tenantId, networkAccountId]);
  return rows[0]?.count ?? 0;
}

const LIST_ALL = statement('template_list_all')`
select name, language, network_account_id, status, reason, category, live from templates
where tenant_id = $1 and deleted_ms is null and status <> 'draft'`;

/** What sending asks of the templates of a tenant. */
export type SendableTemplate = Pick<
  Template,
  'name' | 'language' | 'networkAccountId' | 'status' | 'reason' | 'category' | 'live'
>;

/** All templates of a tenant that the network knows of. */
export async function listSendable(db: SqlRunner, tenantId: TenantId): Promise<readonly SendableTemplate[]> {
  return (await db.run<SendableTemplate>(LIST_ALL, [tenantId])).rows;
}

const BUMP = statement('template_book_bump')`
insert into template_books (tenant_id, revision) values ($1, 1)
on conflict (tenant_id) do update set revision = template_books.revision + 1`;

/** Tells whoever remembers the templates of a tenant that they changed. */
export async function bumpTemplateCache(db: SqlRunner, tenantId: TenantId): Promise<void> {
  await db.run(BUMP, [tenantId]);
}

const REVISIONS = statement('template_book_revisions')`
select tenant_id, revision from template_books where tenant_id = any($1::uuid[])`;

/** Of these tenants, in their order. Zero while a tenant has had no template. */
export async function readTemplateRevisions(db: SqlRunner, tenantIds: readonly TenantId[]): Promise<readonly number[]> {
  const { rows } = await db.run<{ tenantId: TenantId; revision: number }>(REVISIONS, [tenantIds]);
  const found = new Map(rows.map(({ tenantId, revision }) => [tenantId, revision]));
  return tenantIds.map((tenantId) => found.get(tenantId) ?? 0);
}

interface TemplateRow extends Omit<Template, 'reportedMs'> {
  readonly toldMs: Template['reportedMs'];
}

function toTemplate({ toldMs: reportedMs, ...row }: TemplateRow): Template {
  return { ...row, reportedMs };
}

declare module '#database/schema' {
  interface Schema {
    templates: TemplateRow;
  }
}
