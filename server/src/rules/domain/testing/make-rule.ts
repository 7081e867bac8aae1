import type { RuleId, TenantId } from '#core/ids';
import type { ChatbotRule } from '#rules/domain/rule';

/** A rule that answers every message, but for what is given. @param number makes its id and its place */
export function makeRule(number: number, fields: Partial<ChatbotRule> = {}): ChatbotRule {
  return {
    tenantId: '0190a6f2-0000-7000-8000-000000000001' as TenantId,
    ruleId: `0190a6f2-0000-7000-8000-${String(number).padStart(12, '0')}` as RuleId,
    position: number,
    name: `rule ${number}`,
    enabled: true,
    trigger: { on: 'message.received' },
    when: null,
    actions: [{ action: 'reply', type: 'text', body: `answer ${number}` }],
    stop: false,
    cooldownS: null,
    maxRuns: null,
    activeFromMs: null,
    activeUntilMs: null,
    cases: [],
    runs: 0,
    version: 1,
    createdMs: 0,
    updatedMs: 0,
    ...fields,
  };
}
