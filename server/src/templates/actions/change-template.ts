import type { JsonObject, JsonValue } from '#core/json';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { type TemplateStatus, templateTransitions } from '#templates/domain/status';
import { type Template, type TemplateCause, type TemplateHistoryKind, templateView } from '#templates/domain/template';
import { addTemplateVersion, appendTemplateHistory } from '#templates/store/template-history';
import { bumpTemplateCache, insertTemplate, saveTemplate } from '#templates/store/templates';

/** Where a change is written. */
export interface TemplateWriter {
  readonly rt: Pick<Runtime, 'newId' | 'clock'>;
  readonly tx: Transaction;
  readonly events: EventSink;
  readonly cause: TemplateCause;
}

/**
 * Writes a new template with its first version, its history and its event.
 * @returns false when its account has one of this name and language already
 */
export async function addTemplate(writer: TemplateWriter, template: Template): Promise<boolean> {
  if (!(await insertTemplate(writer.tx, template))) return false;
  await addTemplateVersion(writer.tx, template);
  await bumpTemplateCache(writer.tx, template.tenantId);
  await emitChange(writer, template, 'created', { status: template.status });
  writer.events.add({ tenantId: template.tenantId, type: 'template.created', data: templateView(template) });
  return true;
}

/**
 * The one way to change a template: the row, its version, its history, its events, and the word to those who remember it.
 * `before` is locked by the caller.
 * @returns whether anything that anybody sees has changed
 */
export async function storeTemplate(writer: TemplateWriter, before: Template, after: Template): Promise<boolean> {
  refuseJump(before.status, after.status);
  await saveTemplate(writer.tx, after);
  await bumpTemplateCache(writer.tx, after.tenantId);
  if (after.version !== before.version) await addTemplateVersion(writer.tx, after);
  const changes = changesOf(before, after);
  for (const { kind, changed } of changes) await emitChange(writer, after, kind, changed);
  for (const { type, changed } of changes) {
    const data = { ...templateView(after), changes: changed };
    writer.events.add({ tenantId: after.tenantId, type, data });
  }
  return changes.length > 0;
}

/** One more entry of the history. */
export function emitChange(
  { rt, tx, cause }: TemplateWriter,
  template: Template,
  kind: TemplateHistoryKind,
  details: JsonObject,
): Promise<void> {
  return appendTemplateHistory(tx, template, { entryId: rt.newId(), kind, cause, details, atMs: rt.clock.now() });
}

interface Change {
  readonly kind: TemplateHistoryKind;
  readonly type:
    | 'template.updated'
    | 'template.status_changed'
    | 'template.quality_changed'
    | 'template.category_changed'
    | 'template.deleted';
  readonly changed: JsonObject;
}

function changesOf(before: Template, after: Template): readonly Change[] {
  const text = differences({ version: [before.version, after.version] });
  const status = differences({ status: [before.status, after.status], reason: [before.reason, after.reason] });
  const quality = differences({ quality: [before.quality, after.quality] });
  const category = differences({
    category: [before.category, after.category],
    correct_category: [before.correctCategory, after.correctCategory],
  });
  const gone = after.status === 'deleted' && before.status !== 'deleted';
  // A new text may come with a new category: the caller asked for it, and one event records both.
  const recategorised = category !== null && text === null;
  return [
    ...(text === null ? [] : [{ kind: 'text', type: 'template.updated', changed: { ...text, ...category } } as const]),
    ...(quality === null ? [] : [{ kind: 'quality', type: 'template.quality_changed', changed: quality } as const]),
    ...(recategorised ? [{ kind: 'category', type: 'template.category_changed', changed: category } as const] : []),
    ...(status === null || gone ? [] : [{ kind: 'status', type: 'template.status_changed', changed: status } as const]),
    ...(gone ? [{ kind: 'deleted', type: 'template.deleted', changed: status ?? {} } as const] : []),
  ];
}

/** `{field: [old, new]}` of those that differ; null when none does. */
function differences(pairs: Readonly<Record<string, readonly [JsonValue, JsonValue]>>): JsonObject | null {
  const changed = Object.entries(pairs).filter(([, [before, after]]) => before !== after);
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function refuseJump(from: TemplateStatus, to: TemplateStatus): void {
  if (from === to || templateTransitions[from].includes(to)) return;
  throw new Error(`A template that is ${from} cannot become ${to}.`);
}
