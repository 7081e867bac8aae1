import { EVENT_TYPES, type EventType, isWanted } from './event.ts';
import type { RuleAction } from './rules/rule.ts';
import type { Scope } from './scopes.ts';

/** What comes before the dot of a type. */
type Subject = EventType extends `${infer Before}.${string}` ? Before : never;

/** The scope that reads what events of a subject tell. */
const SCOPE_OF_SUBJECT: Readonly<Record<Subject, Scope>> = {
  message: 'messages:read',
  campaign: 'campaigns:read',
  endpoint: 'webhooks:read',
  subscription: 'billing:read',
  usage: 'billing:read',
  wallet: 'billing:read',
  number: 'numbers:read',
  template: 'templates:read',
  contact: 'contacts:read',
  import: 'contacts:read',
  conversation: 'conversations:read',
  note: 'conversations:read',
  rule: 'rules:read',
  agent: 'agents:read',
  team: 'agents:read',
  audit: 'audit:read',
};
const TYPES_BY_DEFAULT = (Object.keys(EVENT_TYPES) as EventType[]).filter((type) => isWanted(null, type));

/** What a key needs to have events of these types delivered somewhere; null: all types that need not be named. */
export function scopesOfEvents(types: readonly EventType[] | null): readonly Scope[] {
  const subjects = (types ?? TYPES_BY_DEFAULT).map((type) => type.split('.')[0] as Subject);
  return ['events:read', ...new Set(subjects.map((subject) => SCOPE_OF_SUBJECT[subject]))];
}

const SCOPE_OF_ACTION: Readonly<Record<RuleAction['action'], Scope | null>> = {
  reply: 'messages:write',
  tag: 'conversations:write',
  assign: 'conversations:write',
  state: 'conversations:write',
  note: 'conversations:write',
  snooze: 'conversations:write',
  handoff: 'conversations:write',
  set_attribute: 'contacts:write',
  opt_out: 'contacts:write',
  webhook: 'webhooks:write',
  stop: null,
};

/** What a key needs to have a chatbot rule do these things. */
export function scopesOfRule(actions: readonly RuleAction[]): readonly Scope[] {
  return [...new Set(actions.flatMap(({ action }) => SCOPE_OF_ACTION[action] ?? []))];
}

/** What a key needs to set up, start or repeat a campaign. */
export function scopesOfCampaign({ hasAudience }: { readonly hasAudience: boolean }): readonly Scope[] {
  return hasAudience ? ['messages:write', 'contacts:read'] : ['messages:write'];
}
