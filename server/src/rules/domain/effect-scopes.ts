import type { Scope } from '#core/caller/scopes';
import type { RuleAction } from './rule.ts';

const SCOPE_OF_ACTION: Readonly<Record<RuleAction['action'], Scope | null>> = {
  reply: 'messages:write',
  tag: 'conversations:write',
  assign: 'conversations:write',
  state: 'conversations:write',
  note: 'conversations:write',
  suggest: 'conversations:write',
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
