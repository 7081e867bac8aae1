import type { JsonObject } from '#core/json';
import type { RuleFinding } from '#core/rules/conflicts';
import { ruleJson } from '#core/rules/rule-json';
import type { RuleWithFindings } from '#operations/manage-rules';

/** A rule with what was found about it and the others. */
export function presentRule({ rule, findings }: RuleWithFindings): JsonObject {
  const { unreachable, conflicts } = findings;
  return { ...ruleJson(rule), unreachable: unreachable.map(presentFinding), conflicts: conflicts.map(presentFinding) };
}

function presentFinding({ ruleId, byId, reason }: RuleFinding): JsonObject {
  return { rule_id: ruleId, by_id: byId, reason };
}
