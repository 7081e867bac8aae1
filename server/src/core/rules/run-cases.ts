import type { FaultDetail } from '../errors.ts';
import { compileRules } from './check-rule.ts';
import { decide, NO_HISTORY } from './decide.ts';
import { factsFromJson } from './facts.ts';
import type { ChatbotRule, RuleCase } from './rule.ts';

/** The tests of a rule that do not come out as they say; none: it may be switched on. */
export function failedCases(rule: ChatbotRule, nowMs: number): readonly FaultDetail[] {
  // Judged by its trigger and its condition alone: times and counts are no part of what a test says.
  const bare = { ...rule, maxRuns: null, cooldownS: null, activeFromMs: null, activeUntilMs: null };
  const set = compileRules([bare], 0);
  return rule.cases.flatMap((one, index) => {
    const outcome = decide(set, caseMoment(rule, one, nowMs), NO_HISTORY).verdicts[0]?.outcome;
    if ((outcome === 'matched') === one.matches) return [];
    const message = `The test “${one.name}” ${one.matches ? 'is not matched, and must be' : 'is matched, and must not be'}.`;
    return [{ path: `body.tests[${index}]`, message }];
  });
}

function caseMoment({ ruleId, trigger }: ChatbotRule, { given }: RuleCase, nowMs: number) {
  const silenceOf = trigger.on === 'no_reply' ? ruleId : null;
  const facts = { ...(trigger.on === 'outside_hours' ? { hours: 'closed' } : {}), ...factsFromJson(given) };
  return { nowMs, silenceOf, opened: trigger.on === 'conversation.opened', automated: null, values: facts };
}
