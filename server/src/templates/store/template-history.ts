import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { Template, TemplateHistoryEntry } from '#templates/domain/template';

const TEMPLATE_HISTORY_APPEND = statement('template_history_append')`
insert into template_history (tenant_id, template_id, entry_id, kind, cause, details, at_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7)`;

type Key = Pick<Template, 'tenantId' | 'templateId'>;

export async function appendTemplateHistory(tx: Transaction, key: Key, entry: TemplateHistoryEntry): Promise<void> {
  const { entryId, kind, cause, details, atMs } = entry;
  const values = [key.tenantId, key.templateId, entryId, kind, cause, JSON.stringify(details), atMs];
  await tx.run(TEMPLATE_HISTORY_APPEND, values);
}

const TEMPLATE_HISTORY_LIST = statement('template_history_list')`
select entry_id, kind, cause, details, at_ms from template_history where tenant_id = $1 and template_id = $2 order by entry_id desc limit 200`;

/** What happened to a template, newest first; the beginning of a very long history is left out. */
export async function listTemplateHistory(db: SqlRunner, key: Key): Promise<readonly TemplateHistoryEntry[]> {
  return (await db.run<TemplateHistoryEntry>(TEMPLATE_HISTORY_LIST, [key.tenantId, key.templateId])).rows;
}

const ADD_VERSION = statement('template_version_add')`
insert into template_versions (
  tenant_id, template_id, version, category, parameter_format, components, message_ttl_s, created_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8)`;

/** Keeps what this version of a template says. */
export async function addTemplateVersion(tx: Transaction, template: Template): Promise<void> {
  const { tenantId, templateId, version, category, parameterFormat, components, messageTtlS, updatedMs } = template;
  const text = [category, parameterFormat, JSON.stringify(components), messageTtlS];
  await tx.run(ADD_VERSION, [tenantId, templateId, version, ...text, updatedMs]);
}

const NOTE_EDIT = statement('template_version_edit')`
update template_versions set edit_ms = $4 where tenant_id = $1 and template_id = $2 and version = $3`;

/** The version was handed in as an edit of an approved template; null: it was refused and does not count. */
export async function noteTemplateEdit(tx: Transaction, template: Template, editMs: number | null): Promise<void> {
  await tx.run(NOTE_EDIT, [template.tenantId, template.templateId, template.version, editMs]);
}

const LIST_EDITS = statement('template_edits')`
select edit_ms from template_versions
where tenant_id = $1 and template_id = $2 and edit_ms >= $3
order by edit_ms desc
limit 100`;

/** When edits of the approved template were handed in since then. */
export async function listTemplateEdits(tx: Transaction, key: Key, sinceMs: number): Promise<readonly number[]> {
  const { rows } = await tx.run<{ editMs: number }>(LIST_EDITS, [key.tenantId, key.templateId, sinceMs]);
  return rows.map((row) => row.editMs);
}
