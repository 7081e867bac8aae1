import type { Located } from '#accounts/domain/located';
import type { JsonObject } from '#core/json';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import type { TemplateText } from '#templates/domain/definition';
import type { ReportedTimes, Template } from '#templates/domain/template';
import type { TemplateChange, TemplateItem } from '#templates/domain/template-item';
import { lockReportedTemplates } from '#templates/store/templates';
import { storeTemplate } from './change-template.ts';

interface TemplateBatch {
  readonly items: readonly Located<TemplateItem>[];
  readonly events: EventSink;
  readonly nowMs: number;
}

/**
 * Changes the templates in the network's reports, at every tenant that has its account. Repetitions and reports older
 * than what is known change nothing.
 * @returns the items of unknown templates
 */
export async function applyTemplateChanges(
  rt: Runtime,
  tx: Transaction,
  { items, events, nowMs }: TemplateBatch,
): Promise<readonly Located<TemplateItem>[]> {
  const strange: Located<TemplateItem>[] = [];
  for (const located of items) {
    const templates = await lockReportedTemplates(tx, located.item);
    if (templates.length === 0) strange.push(located);
    for (const before of templates) {
      const after = withChange(before, located.item, nowMs);
      if (after !== null) await storeTemplate({ rt, tx, events, cause: 'network' }, before, after);
    }
  }
  return strange;
}

/** The template after this change; null when it is older than what is known. */
export function withChange(before: Template, item: TemplateItem, nowMs: number): Template | null {
  const kind = kindOf(item.change);
  const lastMs = before.reportedMs[kind];
  if (item.at !== null && lastMs !== undefined && item.at < lastMs) return null;
  const reportedMs: ReportedTimes = { ...before.reportedMs, ...(item.at === null ? {} : { [kind]: item.at }) };
  const known = { ...before, networkTemplateId: item.networkTemplateId, reportedMs, updatedMs: nowMs };
  return { ...known, ...changeOf(before, item.change, nowMs) };
}

function kindOf({ about }: TemplateChange): keyof ReportedTimes {
  return about === 'category_announced' ? 'category' : about;
}

function changeOf(before: Template, change: TemplateChange, nowMs: number): Partial<Template> {
  switch (change.about) {
    case 'status':
      return change.status === null
        ? {}
        : statusChange(before, { status: change.status, reason: change.reason, nowMs });
    case 'quality':
      return { quality: change.quality };
    case 'category':
      return { ...categoryChange(before, change.category), correctCategory: null };
    case 'category_announced':
      return { correctCategory: change.category };
    case 'components':
      return textChange(before, change);
    default: {
      const never: never = change;
      return never;
    }
  }
}

interface StatusChangeReport {
  readonly status: Template['status'];
  readonly reason: string | null;
  readonly nowMs: number;
}

/** The side effects of a new status: an approval makes the text submitted last the text that may be sent. */
export function statusChange(before: Template, { status, reason, nowMs }: StatusChangeReport): Partial<Template> {
  const common = {
    status,
    reason: status === 'approved' ? null : reason,
    deletedMs: status === 'deleted' ? nowMs : null,
  };
  if (status === 'rejected') return { ...common, live: null };
  const handedIn = before.version === before.submittedVersion;
  return status === 'approved' && handedIn ? { ...common, live: reportedText(before) } : common;
}

/** The category of the text that may be sent changes with it: the next message is billed by it. */
export function categoryChange(before: Template, category: Template['category']): Partial<Template> {
  if (category === before.category) return {};
  const live = before.live === null ? null : { ...before.live, category };
  return { category, previousCategory: before.category, live };
}

/** The current text of a template, as a separate value. */
export function reportedText({ category, parameterFormat, components, messageTtlS }: TemplateText): TemplateText {
  return { category, parameterFormat, components, messageTtlS };
}

/** The network reports texts alone: samples and buttons stay as they are known. */
function textChange(
  before: Template,
  { body, header, footer }: TemplateChange & { readonly about: 'components' },
): Partial<Template> {
  const texts: Readonly<Record<string, string | null>> = { BODY: body, HEADER: header, FOOTER: footer };
  const rewrite = (component: JsonObject): JsonObject => {
    const text = texts[String(component.type)] ?? null;
    return text === null || component.text === undefined ? component : { ...component, text };
  };
  const components = before.components.map(rewrite);
  if (JSON.stringify(components) === JSON.stringify(before.components)) return {};
  const live = before.live === null ? null : { ...before.live, components: before.live.components.map(rewrite) };
  const version = before.version + 1;
  return { components, live, version, submittedVersion: version };
}
