import { type AttributeTypes, NO_ATTRIBUTES } from '#contacts/domain/contact-attribute';
import type { FaultDetail } from '#core/errors';
import { compileRules } from './check-rule.ts';
import { decide, type Moment, NO_HISTORY } from './decide.ts';
import { factsFromGiven } from './facts.ts';
import type { ChatbotRule } from './rule.ts';
import { ruleFields } from './rule-fields.ts';

/** The tests of a rule that do not come out as they say; none: it may be switched on. */
export function failedCases(
  rule: ChatbotRule,
  nowMs: number,
  attributes: AttributeTypes = NO_ATTRIBUTES,
): readonly FaultDetail[] {
  // Evaluated by its trigger and its condition alone: times and counts are not part of a test.
  const bare = { ...rule, maxRuns: null, cooldownS: null, activeFromMs: null, activeUntilMs: null };
  const set = compileRules([bare], 0, attributes);
  const fields = ruleFields(attributes);
  return rule.cases.flatMap((one, index) => {
    const outcome = decide(set, caseMoment(rule, factsFromGiven(one.given, fields), nowMs), NO_HISTORY).verdicts[0]
      ?.outcome;
    if ((outcome === 'matched') === one.matches) return [];
    const message = `The test “${one.name}” ${one.matches ? 'does not match, but must match' : 'matches, but must not match'}.`;
    return [{ path: `body.tests[${index}]`, message }];
  });
}

function caseMoment({ ruleId, trigger }: ChatbotRule, given: Moment['values'], nowMs: number) {
  const silenceOf = trigger.on === 'no_reply' ? ruleId : null;
  const facts = { ...(trigger.on === 'outside_hours' ? { hours: 'closed' } : {}), ...given };
  return { nowMs, silenceOf, opened: trigger.on === 'conversation.opened', automated: null, values: facts };
}
