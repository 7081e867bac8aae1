import type { Scope } from '#core/caller/scopes';
import { EVENT_TYPES, type EventType, isWanted } from '#events/domain/event';
import type { WebhookEndpoint } from './webhook.ts';

/** What comes before the dot of a type. */
export type Subject = EventType extends `${infer Before}.${string}` ? Before : never;

/** The scope that may read the events of a subject. */
export const SCOPE_OF_SUBJECT: Readonly<Record<Subject, Scope>> = {
  message: 'messages:read',
  call: 'messages:read',
  campaign: 'campaigns:read',
  endpoint: 'webhooks:read',
  subscription: 'billing:read',
  usage: 'billing:read',
  wallet: 'billing:read',
  account: 'numbers:read',
  number: 'numbers:read',
  template: 'templates:read',
  contact: 'contacts:read',
  import: 'contacts:read',
  conversation: 'conversations:read',
  note: 'conversations:read',
  suggestion: 'conversations:read',
  bulk_change: 'conversations:read',
  rule: 'rules:read',
  agent: 'agents:read',
  team: 'agents:read',
  audit: 'audit:read',
};

export const TYPES_BY_DEFAULT = (Object.keys(EVENT_TYPES) as EventType[]).filter((type) => isWanted(null, type));

/** What a key needs for what an endpoint gets: callbacks can be about anything. */
export function scopesOfEndpoint({ format, types }: Pick<WebhookEndpoint, 'format' | 'types'>): readonly Scope[] {
  return scopesOfEvents(format === 'network' ? null : types);
}

/** What a key needs to have events of these types delivered somewhere; null: all types that need not be named. */
export function scopesOfEvents(types: readonly EventType[] | null): readonly Scope[] {
  const subjects = (types ?? TYPES_BY_DEFAULT).map((type) => type.split('.')[0] as Subject);
  return ['events:read', ...new Set(subjects.map((subject) => SCOPE_OF_SUBJECT[subject]))];
}
