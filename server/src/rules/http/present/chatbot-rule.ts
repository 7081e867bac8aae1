import type { JsonObject } from '#core/json';
import type { RuleWithFindings } from '#rules/actions/manage-rules';
import type { RuleFinding } from '#rules/domain/conflicts';
import { ruleJson } from '#rules/domain/rule-json';

/** A rule with what was found about it and the others. */
export function presentRule({ rule, findings }: RuleWithFindings): JsonObject {
  const { unreachable, conflicts } = findings;
  return { ...ruleJson(rule), unreachable: unreachable.map(presentFinding), conflicts: conflicts.map(presentFinding) };
}

function presentFinding({ ruleId, byId, reason }: RuleFinding): JsonObject {
  return { rule_id: ruleId, by_id: byId, reason };
}
