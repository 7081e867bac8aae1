import type { HoursAt } from '#agents/actions/business-hours-status';
import type { RuleId, TenantId, TimerId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import { type Decision, decide, type RuleHistory } from '#rules/domain/decide';
import { type EvaluatedMessage, factsOf, momentOf } from '#rules/domain/facts';
import type { RuleSet } from '#rules/domain/rule';
import { type DoneAction, insertDecision } from '#rules/store/rule-decisions';
import { lockRuleHistory, noteRuns, saveBudget } from '#rules/store/rule-history';
import type { RuleReply } from '#rules/store/rule-replies';
import { startTimer } from '#rules/store/rule-timers';
import type { Runtime } from '#runtime/runtime';
import { executeRuleActions } from './execute-rule-actions.ts';
import type { RuleCache } from './rule-cache.ts';

export interface EvaluateDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly ruleCache: RuleCache;
  readonly hoursAt: HoursAt;
}

/** What is evaluated, under the id that its decision gets. */
export interface EvaluateMoment {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly message: EvaluatedMessage;
  readonly opened: boolean;
  /** The rule whose silence has come true; null for a message. */
  readonly silenceOf: RuleId | null;
  /** As `historyOf` gives it: the contact is held. */
  readonly history: RuleHistory;
  readonly set: RuleSet;
}

/** Locks a contact for evaluation, with what rules did for it before. */
export function historyOf(
  tx: Transaction,
  set: RuleSet,
  contact: Pick<EvaluatedMessage, 'contactId'> & { readonly tenantId: TenantId },
): Promise<RuleHistory> {
  const limited = set.rules.some(({ rule }) => rule.maxRuns !== null);
  return lockRuleHistory(tx, { tenantId: contact.tenantId, contactId: contact.contactId, limited });
}

/**
 * Evaluates, does what was decided and records it, all in the caller's transaction.
 * @returns the replies that are to be sent after the commit
 */
export async function evaluateMoment(
  { rt, hoursAt }: EvaluateDeps,
  tx: Transaction,
  events: EventSink,
  asked: EvaluateMoment,
): Promise<readonly RuleReply[]> {
  const { tenantId, decisionId, message, opened, silenceOf, history, set } = asked;
  const nowMs = rt.clock.now();
  const hours = !set.needsHours ? null : await hoursAt(tx, { tenantId, phoneNumberId: message.phoneNumberId, nowMs });
  const facts = factsOf(message, hours, set.attributes);
  const decision = decide(set, momentOf(message, facts, { nowMs, opened, silenceOf }), history);
  const { done, replies } = await executeRuleActions(rt, tx, events, {
    tenantId,
    decisionId,
    decision,
    message,
    nowMs,
  });
  await record(tx, asked, { decision, done, facts: facts as JsonObject, nowMs });
  if (decision.exhausted) events.add(paused(asked, decision));
  if (decision.ignored === null && silenceOf === null) await startTimers(rt, tx, asked);
  return replies;
}

interface EvaluatedMoment {
  readonly decision: Decision;
  readonly done: readonly DoneAction[];
  readonly facts: JsonObject;
  readonly nowMs: number;
}

async function record(
  tx: Transaction,
  asked: EvaluateMoment,
  { decision, done, facts, nowMs }: EvaluatedMoment,
): Promise<void> {
  const { tenantId, decisionId, message, opened, silenceOf, history, set } = asked;
  const { contactId } = message;
  const matched = new Set(decision.verdicts.filter(({ outcome }) => outcome === 'matched').map(({ ruleId }) => ruleId));
  const rules = set.rules.map(({ rule }) => rule).filter(({ ruleId }) => matched.has(ruleId));
  const { messageId, conversationId } = message;
  const { ignored, verdicts, stoppedBy } = decision;
  const subject = { tenantId, decisionId, messageId, contactId, conversationId, silenceOf, opened };
  const outcome = { ignored, facts, verdicts, actions: done, matchedRules: [...matched], stoppedBy };
  await insertDecision(tx, { ...subject, ...outcome, setVersion: set.version, decidedMs: nowMs });
  if (decision.budget !== history.budget) await saveBudget(tx, { tenantId, contactId }, decision.budget);
  const cooling = rules.filter(({ cooldownS }) => cooldownS !== null).map(({ ruleId }) => ruleId);
  const limited = rules.filter(({ maxRuns }) => maxRuns !== null).map(({ ruleId }) => ruleId);
  await noteRuns(tx, { tenantId, contactId, cooling, limited, nowMs });
}

function paused({ tenantId, message }: EvaluateMoment, { budget, verdicts }: Decision) {
  const data = {
    contact_id: message.contactId,
    conversation_id: message.conversationId,
    rule_ids: verdicts.filter(({ outcome }) => outcome === 'matched').map(({ ruleId }) => ruleId),
    replies: budget.replies,
    paused_until: new Date(budget.pausedUntilMs ?? 0).toISOString(),
  };
  return { tenantId, type: 'rule.paused', data } as const;
}

/** A message of the customer begins the silences that rules wait for. */
async function startTimers(rt: Runtime, tx: Transaction, { tenantId, message, set }: EvaluateMoment): Promise<void> {
  const { conversationId, contactId, messageId, createdMs: startedMs } = message;
  for (const { rule } of set.rules) {
    if (rule.trigger.on !== 'no_reply') continue;
    const { ruleId, trigger } = rule;
    const timer = { tenantId, timerId: rt.newId<TimerId>(), ruleId, conversationId, contactId, messageId, startedMs };
    const dueMs = startedMs + trigger.for_s * 1000;
    // The wait for an agent counts from the first message; a customer who writes again restarts the silence.
    await startTimer(tx, { ...timer, dueMs }, trigger.who === 'agent' ? 'keep' : 'restart');
  }
}
