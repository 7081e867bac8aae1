import type { TemplateFields } from './content/template.ts';
import type { CampaignId, MessageId, PhoneNumberId, TenantId } from './ids.ts';
import { isJsonList, isJsonObject, type JsonValue } from './json.ts';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'running', 'paused', 'completed', 'canceled'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export type CampaignMove = 'schedule' | 'start' | 'pause' | 'resume' | 'complete' | 'cancel';

/** Which move leads from where to where; drawn in docs/state-machines.md. */
export const CAMPAIGN_MOVES: Readonly<
  Record<CampaignMove, { readonly from: readonly CampaignStatus[]; readonly to: CampaignStatus }>
> = {
  schedule: { from: ['draft'], to: 'scheduled' },
  start: { from: ['draft', 'scheduled'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  complete: { from: ['running'], to: 'completed' },
  cancel: { from: ['draft', 'scheduled', 'running', 'paused'], to: 'canceled' },
};

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
  readonly total: number;
  readonly accepted: number;
  readonly skipped: number;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
}

export const RECIPIENT_STATUSES = ['waiting', 'taken', 'accepted', 'skipped'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** Why a recipient gets no message. */
export interface SkipReason {
  readonly code: string;
  readonly message: string;
}

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

export type Personalised = { readonly template: TemplateFields } | { readonly missing: string };

/**
 * A template for one recipient: every placeholder in its texts is replaced by the value of its name, else by what stands
 * behind the bar. Values that are empty count as missing.
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
