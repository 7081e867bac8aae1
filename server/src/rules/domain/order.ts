import type { ChatbotRule } from './rule.ts';

/** Rules in the order of evaluation; rules with equal positions are in the order of ids. */
export function inOrder(left: ChatbotRule, right: ChatbotRule): number {
  return left.position - right.position || (left.ruleId < right.ruleId ? -1 : 1);
}

/**
 * All rules once `rule` has its place, in their order: positions count from 1 without gaps, and what stood there and
 * behind moves on.
 * @param others all other rules, whether they are on or not
 * @param place beyond the last, or null: behind all others
 */
export function placedAmong(
  others: readonly ChatbotRule[],
  rule: ChatbotRule,
  place: number | null,
): readonly ChatbotRule[] {
  const sorted = [...others].sort(inOrder);
  const at = Math.min((place ?? sorted.length + 1) - 1, sorted.length);
  return numbered([...sorted.slice(0, at), rule, ...sorted.slice(at)]);
}

/** Rules in this order, with the positions that it gives them. */
export function numbered(rules: readonly ChatbotRule[]): readonly ChatbotRule[] {
  return rules.map((rule, index) => (rule.position === index + 1 ? rule : { ...rule, position: index + 1 }));
}
