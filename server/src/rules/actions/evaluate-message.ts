import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { type ClaimedForRules, claimForRules, takeFromRules } from '#inbound/store/rule-queue';
import { insertDecision } from '#rules/store/rule-decisions';
import { findEvaluatedMessage } from '#rules/store/rule-facts';
import type { RuleReply } from '#rules/store/rule-replies';
import type { Runtime } from '#runtime/runtime';
import { type EvaluateDeps, evaluateMoment, historyOf } from './evaluate-moment.ts';

/**
 * A claimed message is left alone by others for so long: the message of a killed process is evaluated so much later.
 */
export const EVALUATION_LEASE_MS = 15_000;
/** A message whose evaluation failed so often is abandoned, so that it does not come up for ever. */
export const MAX_EVALUATIONS = 5;

/** Claims messages that are to be evaluated for this process. */
export function claimRuleMessages(rt: Runtime, db: Database, limit: number): Promise<readonly ClaimedForRules[]> {
  const nowMs = rt.clock.now();
  return claimForRules(db, { nowMs, untilMs: nowMs + EVALUATION_LEASE_MS, limit });
}

/**
 * Evaluates a message in one transaction: it leaves the queue, its decision is recorded and every change is made, or
 * nothing of it. Idempotent: a second process finds nothing to do.
 * @returns the replies to send after the commit
 */
export function evaluateMessage(parts: EvaluateDeps, claimed: ClaimedForRules): Promise<readonly RuleReply[]> {
  const { rt, db, ruleCache } = parts;
  const { tenantId, messageId, contactId, opened } = claimed;
  return withEvents(rt, db, async (tx, events) => {
    if (!(await takeFromRules(tx, tenantId, messageId))) return [];
    const set = await ruleCache.of(tx, tenantId);
    const history = await historyOf(tx, set, { tenantId, contactId });
    // Read once the contact is locked: the effects of its previous message are seen.
    const message = await findEvaluatedMessage(tx, tenantId, messageId);
    if (message === null) return [];
    return evaluateMoment(parts, tx, events, {
      tenantId,
      decisionId: messageId,
      message,
      opened,
      silenceOf: null,
      history,
      set,
    });
  });
}

/** Records that a message could not be evaluated, and takes it out of the queue. */
export function abandonEvaluation({ rt, db }: EvaluateDeps, claimed: ClaimedForRules): Promise<void> {
  const { tenantId, messageId, contactId, opened } = claimed;
  return withEvents(rt, db, async (tx) => {
    if (!(await takeFromRules(tx, tenantId, messageId))) return;
    const message = await findEvaluatedMessage(tx, tenantId, messageId);
    if (message === null) return;
    await insertDecision(tx, {
      tenantId,
      decisionId: messageId,
      messageId,
      contactId,
      conversationId: message.conversationId,
      silenceOf: null,
      setVersion: 0,
      opened,
      ignored: `It could not be evaluated: the service failed ${MAX_EVALUATIONS} times.`,
      facts: {},
      verdicts: [],
      actions: [],
      matchedRules: [],
      stoppedBy: null,
      decidedMs: rt.clock.now(),
    });
  });
}
