import type { Condition, Leaf } from '#core/conditions/condition';
import type { RuleId } from '#core/ids';
import { endsEvaluation } from './decide.ts';
import type { ChatbotRule, CompiledRule, RuleTrigger } from './rule.ts';
import { writesOf } from './writes.ts';

/** The effect of a rule on a later one. */
export interface RuleFinding {
  readonly ruleId: RuleId;
  /** The other rule. */
  readonly byId: RuleId;
  readonly reason: string;
}

export interface RuleFindings {
  /** Rules that can never match, because an earlier one takes every message of theirs and stops. */
  readonly unreachable: readonly RuleFinding[];
  /** Rules that answer a message which an earlier rule answers too, or write over what it writes. */
  readonly conflicts: readonly RuleFinding[];
}

/**
 * Finds rules that conflict with each other. What it finds is true; it does not find everything, since it does not
 * decide whether two patterns overlap.
 * @param rules those that are enabled, in the order of evaluation
 */
export function findConflicts(rules: readonly CompiledRule[]): RuleFindings {
  const unreachable: RuleFinding[] = [];
  const conflicts: RuleFinding[] = [];
  for (const [index, later] of rules.entries()) {
    const before = rules.slice(0, index);
    const stopper = before.find((earlier) => takesAll(earlier, later) && endsEvaluation(earlier.rule));
    if (stopper !== undefined) {
      unreachable.push(finding(later, stopper, 'takes every message that this rule matches, and stops.'));
      continue;
    }
    for (const earlier of before.filter((one) => bothMatch(one, later))) {
      conflicts.push(...disturbances(earlier, later));
    }
  }
  return { unreachable, conflicts };
}

function finding(later: CompiledRule, earlier: CompiledRule, what: string): RuleFinding {
  const reason = `“${earlier.rule.name}”, which stands before it, ${what}`;
  return { ruleId: later.rule.ruleId, byId: earlier.rule.ruleId, reason };
}

/** Whether the earlier rule matches whenever the later one does. */
function takesAll(earlier: CompiledRule, later: CompiledRule): boolean {
  return (
    isUnlimited(earlier.rule) &&
    covers(earlier.rule.trigger, later.rule.trigger) &&
    implies(later.condition, earlier.condition)
  );
}

function isUnlimited({ cooldownS, maxRuns, activeFromMs, activeUntilMs }: ChatbotRule): boolean {
  return cooldownS === null && maxRuns === null && activeFromMs === null && activeUntilMs === null;
}

/** Whether every moment of the one trigger is a moment of the other. Each silence is one rule's alone. */
function covers(wide: RuleTrigger, narrow: RuleTrigger): boolean {
  if (wide.on === 'no_reply' || narrow.on === 'no_reply') return false;
  return wide.on === 'message.received' || wide.on === narrow.on;
}

/** What two rules that match the same messages do to each other. */
function disturbances(earlier: CompiledRule, later: CompiledRule): readonly RuleFinding[] {
  const answersToo =
    answers(earlier.rule) && answers(later.rule)
      ? [finding(later, earlier, 'answers the same messages: the customer gets both answers.')]
      : [];
  const written = new Map(earlier.rule.actions.flatMap(writesOf).map((write) => [write.what, write]));
  const overwrites = later.rule.actions.flatMap(writesOf).flatMap(({ what, name, value }) => {
    const before = written.get(what);
    if (before === undefined || JSON.stringify(before.value) === JSON.stringify(value)) return [];
    return [finding(later, earlier, `writes ${name} otherwise for the same messages: what this rule writes stays.`)];
  });
  return [...answersToo, ...overwrites];
}

function bothMatch(earlier: CompiledRule, later: CompiledRule): boolean {
  if (endsEvaluation(earlier.rule)) return false;
  const meet = covers(earlier.rule.trigger, later.rule.trigger) || covers(later.rule.trigger, earlier.rule.trigger);
  return meet && (implies(later.condition, earlier.condition) || implies(earlier.condition, later.condition));
}

function answers({ actions }: ChatbotRule): boolean {
  return actions.some(({ action }) => action === 'reply');
}

/** Whether everything that satisfies `narrow` certainly satisfies `wide`; null is always satisfied. */
export function implies(narrow: Condition | null, wide: Condition | null): boolean {
  if (wide === null) return true;
  if (narrow === null) return wide.op === 'all' && wide.conditions.every((one) => implies(null, one));
  if (wide.op === 'all') return wide.conditions.every((one) => implies(narrow, one));
  if (narrow.op === 'any') return narrow.conditions.every((one) => implies(one, wide));
  if (wide.op === 'any' && wide.conditions.some((one) => implies(narrow, one))) return true;
  if (narrow.op === 'all') return narrow.conditions.some((one) => implies(one, wide));
  if (narrow.op === 'not' || wide.op === 'not') {
    return narrow.op === 'not' && wide.op === 'not' && implies(wide.condition, narrow.condition);
  }
  return narrow.op === 'leaf' && wide.op === 'leaf' && leafImplies(narrow, wide);
}

function leafImplies(narrow: Leaf, wide: Leaf): boolean {
  if (narrow.field !== wide.field) return false;
  const { test: left } = narrow;
  const { test: right } = wide;
  if (left.kind === 'text' && right.kind === 'text') return textImplies(left, right);
  if (left.kind === 'one_of' && right.kind === 'one_of' && !left.negated && !right.negated) {
    return left.values.every((value) => right.values.includes(value));
  }
  return JSON.stringify(left) === JSON.stringify(right);
}

interface TextTest {
  readonly match: 'is' | 'word' | 'contains' | 'starts';
  readonly wanted: string;
}

/** Comparisons as a whole and by words see one blank where the text may have several. */
const BLANK = /\s/;

function isRaw({ match }: TextTest): boolean {
  return match === 'contains' || match === 'starts';
}

function textImplies(narrow: TextTest, wide: TextTest): boolean {
  if (narrow.match === wide.match && narrow.wanted === wide.wanted) return true;
  switch (wide.match) {
    case 'is':
      return false;
    case 'contains':
      return narrow.wanted.includes(wide.wanted) && (isRaw(narrow) || !BLANK.test(wide.wanted));
    case 'starts':
      if (narrow.match !== 'starts' && (narrow.match !== 'is' || BLANK.test(wide.wanted))) return false;
      return narrow.wanted.startsWith(wide.wanted);
    case 'word':
      return (narrow.match === 'is' || narrow.match === 'word') && ` ${narrow.wanted} `.includes(` ${wide.wanted} `);
    default:
      return wide.match satisfies never;
  }
}
