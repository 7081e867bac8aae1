import { type AttributeTypes, attributeFault, NO_ATTRIBUTES } from '#contacts/domain/contact-attribute';
import { attributeOf } from '#contacts/domain/contact-fields';
import type { Condition, Leaf } from '#core/conditions/condition';
import { parseCondition } from '#core/conditions/parse-condition';
import type { FaultDetail } from '#core/errors';
import type { JsonObject } from '#core/json';
import { compilePattern, type LinearRegex } from '#core/text/linear-regex';
import { inOrder } from './order.ts';
import {
  type ChatbotRule,
  type CompiledRule,
  MAX_CALL_DATA,
  MAX_CALLS,
  MAX_REPLIES,
  type RuleAction,
  type RuleDraft,
  type RuleSet,
} from './rule.ts';
import { ruleFieldNames, ruleFields } from './rule-fields.ts';
import { writesOf } from './writes.ts';

/** What is wrong with a pattern, or null: for conditions, which do not know the machine. */
export function checkPattern(pattern: string): string | null {
  const compiled = compilePattern(pattern);
  return compiled.ok ? null : `The pattern ${compiled.reason}.`;
}

export type CheckedWhen =
  | { readonly ok: true; readonly condition: Condition | null }
  | { readonly ok: false; readonly faults: readonly FaultDetail[] };

/** Reads the condition of a rule. @param attributes the types of its tenant's own */
export function checkWhen(when: JsonObject | null, attributes: AttributeTypes = NO_ATTRIBUTES): CheckedWhen {
  if (when === null) return { ok: true, condition: null };
  return parseCondition(when, { path: 'body.when', fields: ruleFields(attributes), checkRegex: checkPattern });
}

/** Everything that is wrong with a draft beyond its shape, which the schema of the request has checked. */
export function ruleFaults(draft: RuleDraft, attributes: AttributeTypes = NO_ATTRIBUTES): readonly FaultDetail[] {
  const when = checkWhen(draft.when, attributes);
  return [
    ...(when.ok ? [] : when.faults),
    ...draft.actions.flatMap((action, index) => actionFaults(action, `body.then[${index}]`, attributes)),
    ...listFaults(draft.actions),
    ...timeFaults(draft),
    ...caseFaults(draft, attributes),
  ];
}

function actionFaults(action: RuleAction, path: string, attributes: AttributeTypes): readonly FaultDetail[] {
  switch (action.action) {
    case 'tag': {
      const named = [...(action.add ?? []), ...(action.remove ?? [])];
      return named.length > 0 ? [] : [{ path, message: 'A tag action needs tags to add or to remove.' }];
    }
    case 'assign':
      if (action.agent_id !== undefined || action.team_id !== undefined) return [];
      return [{ path, message: 'An assign action needs agent_id or team_id. Null unassigns the conversation.' }];
    case 'state':
      if (action.status !== undefined || action.priority !== undefined) return [];
      return [{ path, message: 'A state action needs a status or a priority.' }];
    case 'set_attribute': {
      const wrong = attributeFault(attributes.get(action.key), action.value);
      return wrong === null ? [] : [{ path, message: `The attribute ${action.key} ${wrong}.` }];
    }
    case 'webhook':
      if (JSON.stringify(action.data ?? {}).length <= MAX_CALL_DATA) return [];
      return [
        { path: `${path}.data`, message: `The data of a call can have at most ${MAX_CALL_DATA} characters as JSON.` },
      ];
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
      message: `A rule can reply at most ${MAX_REPLIES} times; this one replies ${replies} times.`,
    });
  }
  const calls = actions.filter(({ action }) => action === 'webhook').length;
  if (calls > MAX_CALLS) {
    faults.push({
      path: 'body.then',
      message: `A rule can call at most ${MAX_CALLS} webhooks; this one calls ${calls}.`,
    });
  }
  faults.push(...repeatedWrites(actions));
  const stop = actions.findIndex(({ action }) => action === 'stop');
  if (stop !== -1 && stop < actions.length - 1) {
    faults.push({ path: `body.then[${stop}]`, message: 'stop ends the evaluation, so it must be the last action.' });
  }
  return faults;
}

/** Two actions of one rule that write different values over the same thing: the first would be for nothing. */
function repeatedWrites(actions: readonly RuleAction[]): readonly FaultDetail[] {
  const seen = new Map<string, string>();
  return actions.flatMap((action, index) =>
    writesOf(action).flatMap(({ what, name, value }) => {
      const [before, now] = [seen.get(what), JSON.stringify(value)];
      seen.set(what, now);
      if (before === undefined || before === now) return [];
      return [{ path: `body.then[${index}]`, message: `An earlier action sets ${name} to a different value.` }];
    }),
  );
}

function timeFaults({ activeFromMs, activeUntilMs }: RuleDraft): readonly FaultDetail[] {
  if (activeFromMs === null || activeUntilMs === null || activeFromMs < activeUntilMs) return [];
  return [{ path: 'body.active_until', message: 'active_until is not after active_from.' }];
}

function caseFaults({ cases }: RuleDraft, attributes: AttributeTypes): readonly FaultDetail[] {
  return cases.flatMap(({ given }, index) => givenFaults(given, `body.tests[${index}].given`, attributes));
}

/** Values by names of fields: those that no field has. @param path their place in the request */
export function givenFaults(given: JsonObject, path: string, attributes: AttributeTypes): readonly FaultDetail[] {
  const fields = ruleFields(attributes);
  const unknown = Object.keys(given).filter((field) => fields(field) === undefined);
  const message = `The field does not exist. Fields are ${ruleFieldNames.join(', ')}.`;
  return unknown.map((field) => ({ path: `${path}.${field}`, message }));
}

/**
 * Compiles rules for evaluation. Rules whose condition no longer parses, because the fields of conditions have changed,
 * are left out: they can match nothing.
 * @param rules those that are enabled
 * @param attributes the types of the tenant's attributes
 */
export function compileRules(
  rules: readonly ChatbotRule[],
  version: number,
  attributes: AttributeTypes = NO_ATTRIBUTES,
): RuleSet {
  const patterns = new Map<string, LinearRegex>();
  const compiled = [...rules].sort(inOrder).flatMap((rule) => {
    const when = checkWhen(rule.when, attributes);
    if (!when.ok) return [];
    for (const pattern of patternsOf(when.condition)) {
      const machine = patterns.has(pattern) ? null : compilePattern(pattern);
      if (machine?.ok) patterns.set(pattern, machine.regex);
    }
    return [{ rule, condition: when.condition }];
  });
  const asked = new Set(
    compiled.flatMap(({ condition }) => leavesOf(condition).map(({ field }) => attributeOf(field))),
  );
  const needed = [...attributes].filter(([key]) => asked.has(key));
  return { version, rules: compiled, patterns, needsHours: compiled.some(asksHours), attributes: new Map(needed) };
}

function asksHours({ rule, condition }: CompiledRule): boolean {
  return rule.trigger.on === 'outside_hours' || leavesOf(condition).some(({ field }) => field === 'hours');
}

/** The patterns of a condition. */
function patternsOf(condition: Condition | null): readonly string[] {
  return leavesOf(condition).flatMap(({ test }) => (test.kind === 'regex' ? [test.pattern] : []));
}

/** The comparisons of a condition, in its order. */
export function leavesOf(condition: Condition | null): readonly Leaf[] {
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
