import type { AttributeTypes } from '#contacts/domain/contact-attribute';
import type { ConversationPriority } from '#conversations/domain/conversation';
import type { Condition } from '#core/conditions/condition';
import type { RuleId, TenantId } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import type { LinearRegex } from '#core/text/linear-regex';

/** What makes a rule look at a moment. */
export const ruleOccasions = [
  'message.received',
  'conversation.opened',
  'button.clicked',
  'outside_hours',
  'no_reply',
] as const;
export type RuleOccasion = (typeof ruleOccasions)[number];

/** Whose silence a rule waits for. */
export const silentParties = ['agent', 'customer'] as const;
export type SilentParty = (typeof silentParties)[number];

/** In the API's spelling, as it is stored. */
export type RuleTrigger =
  | { readonly on: Exclude<RuleOccasion, 'no_reply'> }
  | { readonly on: 'no_reply'; readonly for_s: number; readonly who: SilentParty };

/** What a rule does, in the API's spelling, as it is stored. A reply is a send without its recipient. */
export type RuleAction =
  | (JsonObject & { readonly action: 'reply' })
  | { readonly action: 'tag'; readonly add?: readonly string[]; readonly remove?: readonly string[] }
  | { readonly action: 'assign'; readonly agent_id?: string | null; readonly team_id?: string | null }
  | { readonly action: 'state'; readonly status?: RuleStatus; readonly priority?: ConversationPriority }
  | { readonly action: 'note'; readonly body: string }
  | { readonly action: 'suggest'; readonly body: string }
  | { readonly action: 'snooze'; readonly for_s?: number }
  | { readonly action: 'set_attribute'; readonly key: string; readonly value: JsonValue }
  | { readonly action: 'opt_out' }
  | { readonly action: 'webhook'; readonly endpoint_id: string; readonly data?: JsonObject }
  | { readonly action: 'handoff' }
  | { readonly action: 'stop' };

/** Snoozing is a separate action: it has a time to wake. */
export const ruleStatuses = ['open', 'pending', 'resolved'] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

/** A message that must, or must not, be matched before the rule may be switched on. */
export interface RuleCase {
  readonly name: string;
  /** Values by the names of the fields of conditions: `{"text": "hello"}`. */
  readonly given: JsonObject;
  readonly matches: boolean;
}

/** What people write about a rule. */
export interface RuleDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: RuleTrigger;
  /** Null: always. */
  readonly when: JsonObject | null;
  readonly actions: readonly RuleAction[];
  /** Whether no later rule is evaluated once this one has matched. */
  readonly stop: boolean;
  /** For so long it does not match for the same contact again; null: it always may. */
  readonly cooldownS: number | null;
  /** After so many matches it rests; null: never. */
  readonly maxRuns: number | null;
  readonly activeFromMs: number | null;
  readonly activeUntilMs: number | null;
  readonly cases: readonly RuleCase[];
}

/** A rule as it is stored. */
export interface ChatbotRule extends RuleDraft {
  readonly tenantId: TenantId;
  readonly ruleId: RuleId;
  /** Place in the order, from 1; rules with the same place are in the order of their ids. */
  readonly position: number;
  /** Matches so far; counted for rules with max_runs only. */
  readonly runs: number;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A rule with its condition read. */
export interface CompiledRule {
  readonly rule: ChatbotRule;
  readonly condition: Condition | null;
}

/** All enabled rules of a tenant, compiled for evaluation. Built once per version of the set. */
export interface RuleSet {
  /** Grows with each change of a rule of the tenant. */
  readonly version: number;
  /** In the order of evaluation. */
  readonly rules: readonly CompiledRule[];
  /** Whether a rule asks for the hours of business. */
  readonly needsHours: boolean;
  /** By pattern. */
  readonly patterns: ReadonlyMap<string, LinearRegex>;
  /** The tenant's attributes of contacts that a rule asks about. */
  readonly attributes: AttributeTypes;
}

/** Rules of one tenant: each is evaluated for every message. */
export const MAX_RULES = 200;
export const MAX_ACTIONS = 10;
/** More answers to one message than this is a mistake. */
export const MAX_REPLIES = 5;
/** Calls to webhook endpoints of one rule. */
export const MAX_CALLS = 3;
/** Characters of what a rule says in a call, as JSON: events are small. */
export const MAX_CALL_DATA = 4_000;
/** Thirty days, as far as a send can be put off. */
export const MAX_SNOOZE_S = 30 * 24 * 60 * 60;
export const MAX_CASES = 20;
/** Seven days: a longer silence does not count as waiting. */
export const MAX_SILENCE_S = 7 * 24 * 60 * 60;
export const MAX_COOLDOWN_S = 30 * 24 * 60 * 60;
/** All patterns of a tenant together: what a message may cost it. */
export const MAX_SET_STEPS = 4_000;
