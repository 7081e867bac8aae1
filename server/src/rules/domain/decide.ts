import type { Explanation, FieldValue, OutcomeDecider } from '#core/conditions/evaluate';
import { evaluate, explain, makeOutcomeDecider } from '#core/conditions/evaluate';
import type { RuleId } from '#core/ids';
import type { ChatbotRule, CompiledRule, RuleAction, RuleSet } from './rule.ts';

/** What rules evaluate: a message of a customer, or a silence that has lasted. */
export interface Moment {
  readonly nowMs: number;
  /** The rule whose silence has come; null for a message. */
  readonly silenceOf: RuleId | null;
  /** Whether the message opened its conversation. */
  readonly opened: boolean;
  /** Why nothing is evaluated: the sender is not a customer. Null: rules are evaluated. */
  readonly automated: string | null;
  /** By the names of the fields of conditions; what is missing holds nothing. */
  readonly values: Readonly<Record<string, FieldValue>>;
}

/** What rules did for this contact before. */
export interface RuleHistory {
  /** When each rule with a cooldown last matched for the contact. */
  readonly lastRunMs: ReadonlyMap<RuleId, number>;
  /** Matches of rules with max_runs, as they are now: what a set says of them may be old. */
  readonly runs: ReadonlyMap<RuleId, number>;
  /** Automatic replies of the last minutes. */
  readonly budget: ReplyBudget;
}

/** Automatic replies to one contact within a span of time. */
export interface ReplyBudget {
  readonly startedMs: number;
  readonly replies: number;
  /** Until then nothing is answered; null: it may be. */
  readonly pausedUntilMs: number | null;
}

/** Replies to one contact within BUDGET_WINDOW_MS; a contact that needs more is another machine. */
export const BUDGET_REPLIES = 10;
export const BUDGET_WINDOW_MS = 10 * 60_000;

export const NO_BUDGET: ReplyBudget = { startedMs: 0, replies: 0, pausedUntilMs: null };
export const NO_HISTORY: RuleHistory = { lastRunMs: new Map(), runs: new Map(), budget: NO_BUDGET };

export const ruleOutcomes = [
  'matched',
  'not_matched',
  'not_triggered',
  'not_active',
  'cooling_down',
  'used_up',
  'not_reached',
] as const;
/** How one rule came out. */
export type RuleOutcome = (typeof ruleOutcomes)[number];

/** One comparison of a condition. */
export interface PredicateVerdict {
  readonly path: string;
  readonly field: string;
  readonly match: string;
  readonly seen: FieldValue;
  readonly matched: boolean;
}

export interface RuleVerdict {
  readonly ruleId: RuleId;
  readonly version: number;
  readonly outcome: RuleOutcome;
  /** Empty when there is no condition, or it was not evaluated. */
  readonly predicates: readonly PredicateVerdict[];
}

/** Why an action that a rule names is not done. */
export const withheldReasons = ['agent_handles', 'budget', 'paused'] as const;
export type Withheld = (typeof withheldReasons)[number];

/** An action of a rule that matched, in the order in which they are done. */
export interface PlannedAction {
  readonly ruleId: RuleId;
  /** Place in `then`, from 0. */
  readonly index: number;
  readonly action: RuleAction;
  /** Null: it is done. */
  readonly withheld: Withheld | null;
}

export interface Decision {
  /** Null, or why nothing was evaluated. */
  readonly ignored: string | null;
  /** Every rule of the set, in the order of evaluation. */
  readonly verdicts: readonly RuleVerdict[];
  readonly actions: readonly PlannedAction[];
  /** The rule that ended the evaluation. */
  readonly stoppedBy: RuleId | null;
  /** The budget of the contact afterwards. */
  readonly budget: ReplyBudget;
  /** Whether this decision used the budget up. */
  readonly exhausted: boolean;
}

/** Comparisons that a verdict shows; a condition has at most 100. */
const MAX_PREDICATES = 20;
/** Comparisons of a whole decision: 200 rules would fill 100 kB per message. Rules behind show their outcome alone. */
const MAX_DECISION_PREDICATES = 200;
/** Characters of a text that a verdict repeats. */
const MAX_SEEN = 80;

/**
 * Evaluates a moment: every rule in its order until one stops. The same set, moment and history give the same decision,
 * which is what backtests and repetitions rest on.
 */
export function decide(set: RuleSet, moment: Moment, history: RuleHistory): Decision {
  const budget = openBudget(history.budget, moment.nowMs);
  const nothing = { verdicts: [], actions: [], stoppedBy: null, budget, exhausted: false };
  if (moment.automated !== null) return { ...nothing, ignored: moment.automated };
  const decider = makeOutcomeDecider({
    nowMs: moment.nowMs,
    valueOf: (field) => moment.values[field] ?? null,
    matchRegex: (pattern, folded) => set.patterns.get(pattern)?.test(folded) ?? false,
  });
  const verdicts: RuleVerdict[] = [];
  const matched: ChatbotRule[] = [];
  let stoppedBy: RuleId | null = null;
  let room = MAX_DECISION_PREDICATES;
  for (const compiled of set.rules) {
    const { rule } = compiled;
    const verdict =
      stoppedBy === null ? verdictOf(compiled, { moment, history, decider, room }) : bare(rule, 'not_reached');
    verdicts.push(verdict);
    room -= verdict.predicates.length;
    if (verdict.outcome !== 'matched') continue;
    matched.push(rule);
    if (endsEvaluation(rule)) stoppedBy = rule.ruleId;
  }
  return { ignored: null, verdicts, stoppedBy, ...planActions(matched, moment, budget) };
}

/** Whether later rules are not evaluated when this one matches. */
export function endsEvaluation({ stop, actions }: ChatbotRule): boolean {
  return stop || actions.some(({ action }) => action === 'stop');
}

interface EvaluationContext {
  readonly moment: Moment;
  readonly history: RuleHistory;
  readonly decider: OutcomeDecider;
  /** Comparisons that may still be shown. */
  readonly room: number;
}

function verdictOf(
  { rule, condition }: CompiledRule,
  { moment, history, decider, room }: EvaluationContext,
): RuleVerdict {
  if (!isTriggered(rule, moment)) return bare(rule, 'not_triggered');
  if (!isActive(rule, moment.nowMs)) return bare(rule, 'not_active');
  if (rule.maxRuns !== null && (history.runs.get(rule.ruleId) ?? rule.runs) >= rule.maxRuns)
    return bare(rule, 'used_up');
  const lastMs = history.lastRunMs.get(rule.ruleId);
  if (rule.cooldownS !== null && lastMs !== undefined && moment.nowMs < lastMs + rule.cooldownS * 1000) {
    return bare(rule, 'cooling_down');
  }
  if (condition === null) return bare(rule, 'matched');
  if (room <= 0) return bare(rule, evaluate(condition, decider) ? 'matched' : 'not_matched');
  const explained = explain(condition, decider);
  const predicates: PredicateVerdict[] = [];
  addLeaves(predicates, explained, Math.min(room, MAX_PREDICATES));
  return { ...bare(rule, explained.matched ? 'matched' : 'not_matched'), predicates };
}

function bare({ ruleId, version }: ChatbotRule, outcome: RuleOutcome): RuleVerdict {
  return { ruleId, version, outcome, predicates: [] };
}

/** Whether the moment is one that triggers the rule. */
export function isTriggered({ ruleId, trigger }: ChatbotRule, moment: Moment): boolean {
  if (moment.silenceOf !== null) return moment.silenceOf === ruleId;
  switch (trigger.on) {
    case 'message.received':
      return true;
    case 'conversation.opened':
      return moment.opened;
    case 'button.clicked':
      return (moment.values.button_payload ?? null) !== null;
    case 'outside_hours':
      return moment.values.hours === 'closed';
    case 'no_reply':
      return false;
    default:
      return trigger satisfies never;
  }
}

function isActive({ activeFromMs, activeUntilMs }: ChatbotRule, nowMs: number): boolean {
  return (activeFromMs === null || nowMs >= activeFromMs) && (activeUntilMs === null || nowMs < activeUntilMs);
}

/** Adds the comparisons of a condition in their order, up to a limit. */
function addLeaves(found: PredicateVerdict[], { path, matched, leaf, parts = [] }: Explanation, limit: number): void {
  if (found.length >= limit) return;
  if (leaf === undefined) {
    for (const part of parts) addLeaves(found, part, limit);
    return;
  }
  const place = path.startsWith(IN_BODY) ? path.slice(IN_BODY.length) : path;
  found.push({ path: place, field: leaf.field, match: leaf.match, seen: shortened(leaf.seen), matched });
}

const IN_BODY = 'body.';

function shortened(seen: FieldValue): FieldValue {
  return typeof seen === 'string' && seen.length > MAX_SEEN ? `${seen.slice(0, MAX_SEEN)}…` : seen;
}

/** The budget as it counts now: after the end of a span a new one begins. */
function openBudget(budget: ReplyBudget, nowMs: number): ReplyBudget {
  const paused = budget.pausedUntilMs !== null && nowMs < budget.pausedUntilMs;
  if (paused || (budget.pausedUntilMs === null && nowMs < budget.startedMs + BUDGET_WINDOW_MS)) return budget;
  return { startedMs: nowMs, replies: 0, pausedUntilMs: null };
}

function planActions(
  matched: readonly ChatbotRule[],
  moment: Moment,
  before: ReplyBudget,
): Pick<Decision, 'actions' | 'budget' | 'exhausted'> {
  let budget = before;
  const actions: PlannedAction[] = [];
  for (const rule of matched) {
    for (const [index, action] of rule.actions.entries()) {
      const withheld = action.action === 'reply' ? whyWithheld(rule, moment, budget) : null;
      if (action.action === 'reply' && withheld === null) budget = { ...budget, replies: budget.replies + 1 };
      if (withheld === 'budget') budget = { ...budget, pausedUntilMs: moment.nowMs + BUDGET_WINDOW_MS };
      actions.push({ ruleId: rule.ruleId, index, action, withheld });
    }
  }
  return { actions, budget, exhausted: before.pausedUntilMs === null && budget.pausedUntilMs !== null };
}

/** A rule does not reply in the conversation of a person, except to say that no agent is there. */
function whyWithheld({ trigger }: ChatbotRule, { values }: Moment, budget: ReplyBudget): Withheld | null {
  const saysAbsence = trigger.on === 'outside_hours' || trigger.on === 'no_reply';
  if (values['conversation.handled_by'] === 'agent' && !saysAbsence) return 'agent_handles';
  if (budget.pausedUntilMs !== null) return 'paused';
  return budget.replies >= BUDGET_REPLIES ? 'budget' : null;
}
