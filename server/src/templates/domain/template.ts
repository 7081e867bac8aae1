import type { TemplateId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { TemplateCategory, TemplateDefinition, TemplateText } from './definition.ts';
import type { LibrarySource } from './library.ts';
import type { TemplateQuality, TemplateStatus } from './status.ts';
import { templateVariables } from './variables.ts';

/** A template of a tenant in one account of the network. Times are milliseconds since 1970. */
export interface Template extends TemplateDefinition {
  readonly tenantId: TenantId;
  readonly templateId: TemplateId;
  readonly networkAccountId: string;
  /** Null: never handed in. */
  readonly networkTemplateId: string | null;
  readonly status: TemplateStatus;
  /** Why it is rejected, paused or disabled, in the network's words. */
  readonly reason: string | null;
  readonly quality: TemplateQuality;
  readonly previousCategory: TemplateCategory | null;
  /** The category that the network has announced for later. */
  readonly correctCategory: TemplateCategory | null;
  /** The entry of the network's library that it was taken from and still reads like; null: its text is the tenant's own. */
  readonly library: LibrarySource | null;
  /** Grows with each change of what it says. */
  readonly version: number;
  /** The version that the network has; null: none. */
  readonly submittedVersion: number | null;
  readonly submittedMs: number | null;
  /** What may be sent: the text approved last. Null: nothing. */
  readonly live: TemplateText | null;
  /** When it was last read from the network. */
  readonly syncedMs: number | null;
  /** The time of the network's last report of each kind: an older report changes nothing. */
  readonly reportedMs: ReportedTimes;
  readonly deletedMs: number | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ReportedTimes {
  readonly status?: number;
  readonly quality?: number;
  readonly category?: number;
  readonly components?: number;
}

/** The template as the API and its events show it. */
export function templateView(template: Template): JsonObject {
  return {
    id: template.templateId,
    network_account_id: template.networkAccountId,
    network_template_id: template.networkTemplateId,
    name: template.name,
    language: template.language,
    category: template.category,
    previous_category: template.previousCategory,
    correct_category: template.correctCategory,
    status: template.status,
    reason: template.reason,
    quality: template.quality,
    library_template: template.library?.name ?? null,
    parameter_format: template.parameterFormat,
    components: template.components,
    variables: templateVariables(template).map(({ key, where, type, example }) => ({ key, where, type, example })),
    message_ttl_s: template.messageTtlS,
    version: template.version,
    submitted_version: template.submittedVersion,
    sendable: isSendable(template),
    synced_at: timeOrNull(template.syncedMs),
    last_event_at: timeOrNull(lastReportedMs(template.reportedMs)),
    created_at: timeText(template.createdMs),
    updated_at: timeText(template.updatedMs),
  };
}

/** "approved ones keep sending the old version until decided" */
export function isSendable({ status, live }: Pick<Template, 'status' | 'live'>): boolean {
  return live !== null && (status === 'approved' || status === 'submitted');
}

function lastReportedMs({ status, quality, category, components }: ReportedTimes): number | null {
  const times = [status, quality, category, components].filter((time) => time !== undefined);
  return times.length === 0 ? null : Math.max(...times);
}

function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : timeText(timeMs);
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** One entry of what happened to a template. */
export interface TemplateHistoryEntry {
  readonly entryId: string;
  readonly kind: TemplateHistoryKind;
  readonly cause: TemplateCause;
  readonly atMs: number;
  /** What it was and is, or the reason; small. */
  readonly details: JsonObject;
}

export const templateHistoryKinds = [
  'created',
  'text',
  'submitted',
  'refused',
  'status',
  'quality',
  'category',
  'deleted',
] as const;
export type TemplateHistoryKind = (typeof templateHistoryKinds)[number];

/** Who changed it: a request, a callback of the network, or reading the network's list. */
export const templateCauses = ['api', 'network', 'sync'] as const;
export type TemplateCause = (typeof templateCauses)[number];
