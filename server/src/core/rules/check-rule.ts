import type { Condition, Leaf } from '../conditions/condition.ts';
import { parseCondition } from '../conditions/parse-condition.ts';
import type { FaultDetail } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { compilePattern, type LinearRegex } from '../linear-regex.ts';
import {
  type ChatbotRule,
  type CompiledRule,
  MAX_REPLIES,
  type RuleAction,
  type RuleDraft,
  type RuleSet,
} from './rule.ts';
import { ruleFieldNames, ruleFields } from './rule-fields.ts';

/** What is wrong with a pattern, or null: for conditions, which do not know the machine. */
export function checkPattern(pattern: string): string | null {
  const compiled = compilePattern(pattern);
  return compiled.ok ? null : `The pattern ${compiled.reason}.`;
}

export type CheckedWhen =
  | { readonly ok: true; readonly condition: Condition | null }
  | { readonly ok: false; readonly faults: readonly FaultDetail[] };

/** Reads the condition of a rule. @param path where it stands in the request */
export function checkWhen(when: JsonObject | null, path = 'body.when'): CheckedWhen {
  if (when === null) return { ok: true, condition: null };
  return parseCondition(when, { path, fields: ruleFields, checkRegex: checkPattern });
}

/** Everything that is wrong with a draft beyond its shape, which the schema of the request has checked. */
export function ruleFaults(draft: RuleDraft): readonly FaultDetail[] {
  const when = checkWhen(draft.when);
  return [
    ...(when.ok ? [] : when.faults),
    ...draft.actions.flatMap((action, index) => actionFaults(action, `body.then[${index}]`)),
    ...listFaults(draft.actions),
    ...timeFaults(draft),
    ...caseFaults(draft),
  ];
}

function actionFaults(action: RuleAction, path: string): readonly FaultDetail[] {
  switch (action.action) {
    case 'tag': {
      const named = [...(action.add ?? []), ...(action.remove ?? [])];
      return named.length > 0 ? [] : [{ path, message: 'A tag action needs tags to add or to remove.' }];
    }
    case 'assign':
      if (action.agent_id !== undefined || action.team_id !== undefined) return [];
      return [{ path, message: 'An assign action needs agent_id or team_id; null takes the conversation away.' }];
    case 'state':
      if (action.status !== undefined || action.priority !== undefined) return [];
      return [{ path, message: 'A state action needs a status or a priority.' }];
    default:
      return [];
  }
}

function listFaults(actions: readonly RuleAction[]): readonly FaultDetail[] {
  const faults: FaultDetail[] = [];
  const replies = actions.filter(({ action }) => action === 'reply').length;
  if (replies > MAX_REPLIES) {
    faults.push({
      path: 'body.then',
      message: `A rule replies at most ${MAX_REPLIES} times; this one ${replies} times.`,
    });
  }
  const stop = actions.findIndex(({ action }) => action === 'stop');
  if (stop !== -1 && stop < actions.length - 1) {
    faults.push({ path: `body.then[${stop}]`, message: 'Stop ends the judging: nothing can stand behind it.' });
  }
  return faults;
}

function timeFaults({ activeFromMs, activeUntilMs }: RuleDraft): readonly FaultDetail[] {
  if (activeFromMs === null || activeUntilMs === null || activeFromMs < activeUntilMs) return [];
  return [{ path: 'body.active_until', message: 'active_until is not after active_from.' }];
}

function caseFaults({ cases }: RuleDraft): readonly FaultDetail[] {
  return cases.flatMap(({ given }, index) =>
    Object.keys(given).flatMap((field) =>
      ruleFields(field) === undefined
        ? [
            {
              path: `body.tests[${index}].given.${field}`,
              message: `There is no such field; fields are ${ruleFieldNames.join(', ')}.`,
            },
          ]
        : [],
    ),
  );
}

/**
 * Makes rules ready to judge. Rules whose condition no longer reads, after a change of what conditions may ask, are left
 * out: they can match nothing.
 * @param rules those that are switched on
 */
export function compileRules(rules: readonly ChatbotRule[], version: number): RuleSet {
  const patterns = new Map<string, LinearRegex>();
  const compiled = [...rules].sort(inOrder).flatMap((rule) => {
    const when = checkWhen(rule.when);
    if (!when.ok) return [];
    for (const pattern of patternsOf(when.condition)) {
      const machine = patterns.has(pattern) ? null : compilePattern(pattern);
      if (machine?.ok) patterns.set(pattern, machine.regex);
    }
    return [{ rule, condition: when.condition }];
  });
  return { version, rules: compiled, patterns, needsHours: compiled.some(asksHours) };
}

function asksHours({ rule, condition }: CompiledRule): boolean {
  return rule.trigger.on === 'outside_hours' || leavesOf(condition).some(({ field }) => field === 'hours');
}

function inOrder(left: ChatbotRule, right: ChatbotRule): number {
  return left.position - right.position || (left.ruleId < right.ruleId ? -1 : 1);
}

/** The patterns of a condition. */
function patternsOf(condition: Condition | null): readonly string[] {
  return leavesOf(condition).flatMap(({ test }) => (test.kind === 'regex' ? [test.pattern] : []));
}

function leavesOf(condition: Condition | null): readonly Leaf[] {
  if (condition === null) return [];
  switch (condition.op) {
    case 'all':
    case 'any':
      return condition.conditions.flatMap(leavesOf);
    case 'not':
      return leavesOf(condition.condition);
    case 'leaf':
      return [condition];
    default:
      return condition satisfies never;
  }
}
