import type { CampaignId, ContactId, MessageId, PhoneNumberId, SegmentId, TenantId } from '#core/ids';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import type { TemplateFields } from '#templates/domain/content';
import type { Breaker } from './campaign-breaker.ts';

/** Variables of one recipient, and characters of one. */
export const MAX_VARIABLES = 50;
export const MAX_VARIABLE = 1_024;

export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'preparing',
  'running',
  'paused',
  'completed',
  'canceled',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export type CampaignMove = 'schedule' | 'prepare' | 'start' | 'pause' | 'resume' | 'complete' | 'retry' | 'cancel';

/** Which move leads from where to where; drawn in docs/state-machines.md. */
export const CAMPAIGN_MOVES: Readonly<
  Record<CampaignMove, { readonly from: readonly CampaignStatus[]; readonly to: CampaignStatus }>
> = {
  schedule: { from: ['draft'], to: 'scheduled' },
  prepare: { from: ['draft', 'scheduled', 'paused'], to: 'preparing' },
  start: { from: ['draft', 'scheduled', 'preparing'], to: 'running' },
  pause: { from: ['preparing', 'running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  complete: { from: ['running'], to: 'completed' },
  retry: { from: ['completed'], to: 'running' },
  cancel: { from: ['draft', 'scheduled', 'preparing', 'running', 'paused'], to: 'canceled' },
};

/** Whom a campaign is for, besides recipients that are added one by one. */
export interface Audience {
  /** The segment that it came from; null: an inline condition. */
  readonly segmentId: SegmentId | null;
  /** About contacts, as written. Of a segment: as it was when the campaign was started. */
  readonly condition: JsonObject;
}

/** How far the members of an audience were added. */
export interface AudienceProgress {
  readonly pending: boolean;
  /** Contacts created until this moment are evaluated, and times of the condition count from it. */
  readonly asOfMs: number | null;
  /** Contacts up to this one have been evaluated. */
  readonly cursor: ContactId | null;
  /** Members without a number and a user id, and those beyond the limit of a campaign. */
  readonly leftOut: number;
}

export interface Campaign {
  readonly tenantId: TenantId;
  readonly campaignId: CampaignId;
  /** Also the `campaign_name` of its messages. */
  readonly name: string;
  readonly status: CampaignStatus;
  readonly phoneNumberId: PhoneNumberId | null;
  /** Its texts may hold placeholders, see personalise. */
  readonly template: TemplateFields;
  readonly sendAtMs: number | null;
  readonly pauseReason: string | null;
  readonly audience: Audience | null;
  readonly progress: AudienceProgress;
  readonly breaker: Breaker | null;
  /** The last outcomes, see noteOutcomes. */
  readonly recent: string;
  /** Outcomes were read from the tenant's events up to this one. */
  readonly eventSeq: number;
  readonly total: number;
  /** Recipients whose message was accepted; those of them whose message left, and whose failed. */
  readonly accepted: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
}

export const RECIPIENT_STATUSES = ['waiting', 'taken', 'accepted', 'sent', 'failed', 'skipped'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** What may become of a recipient: statements move them, see docs/state-machines.md. */
export const RECIPIENT_MOVES: Readonly<Record<RecipientStatus, readonly RecipientStatus[]>> = {
  waiting: ['taken', 'skipped', 'sent', 'failed'],
  taken: ['accepted', 'sent', 'failed', 'skipped', 'waiting'],
  accepted: ['sent', 'failed'],
  sent: ['failed'],
  failed: ['sent', 'waiting'],
  skipped: ['waiting', 'sent', 'failed'],
};

/** Why a recipient got no message. */
export interface SkipReason {
  readonly code: string;
  readonly message: string;
}

/** Prefix of what replaces the number of an erased contact; the id of the message, or the place, follows it. */
export const ERASED_RECIPIENT = 'erased:';
/** Why such a recipient gets nothing. */
export const CONTACT_ERASED: SkipReason = { code: 'contact_erased', message: 'The contact was erased.' };

export interface CampaignRecipient {
  readonly place: number;
  readonly phone: string;
  readonly variables: Readonly<Record<string, string>> | null;
  readonly status: RecipientStatus;
  readonly messageId: MessageId | null;
  readonly reason: SkipReason | null;
}

/** `{{name}}` or `{{name|what to say without it}}`. */
const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_.]*)\s*(?:\|([^{}]*))?\}\}/g;

/** Names of the placeholders in the texts of a template. */
export function placeholdersOf({ variables, components }: TemplateFields): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (text: string) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) names.add(name);
    return text;
  };
  for (const part of [variables, components]) if (part !== undefined) fillTexts(part, note);
  return names;
}

export type Personalised = { readonly template: TemplateFields } | { readonly missing: string };

/**
 * A template for one recipient: every placeholder in its texts is replaced by the value of its name, otherwise by the
 * text after the bar. Empty values count as missing.
 * @returns `missing`: the first name that has neither
 */
export function personalise(template: TemplateFields, values: Readonly<Record<string, string>>): Personalised {
  let missing: string | null = null;
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (_match, name: string, fallback: string | undefined) => {
      const value = Object.hasOwn(values, name) ? values[name]?.trim() : undefined;
      if (value) return value;
      if (fallback === undefined) missing ??= name;
      return fallback?.trim() ?? '';
    });
  const { variables, components } = template;
  const filled = {
    ...template,
    ...(variables === undefined ? {} : { variables: fillTexts(variables, fill) }),
    ...(components === undefined ? {} : { components: fillTexts(components, fill) }),
  };
  return missing === null ? { template: filled as TemplateFields } : { missing };
}

function fillTexts(value: JsonValue, fill: (text: string) => string): JsonValue {
  if (typeof value === 'string') return fill(value);
  if (isJsonList(value)) return value.map((item) => fillTexts(item, fill));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillTexts(item, fill)]));
}
