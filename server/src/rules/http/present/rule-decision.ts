import type { JsonObject, JsonValue } from '#core/json';
import type { Decision, RuleVerdict } from '#rules/domain/decide';
import type { DecisionWithReplies, DoneAction, ReplyFate } from '#rules/store/rule-decisions';

/** A stored decision, with what has become of its replies since. */
export function presentDecision({ record, replies }: DecisionWithReplies): JsonObject {
  return {
    id: record.decisionId,
    message_id: record.messageId,
    contact_id: record.contactId,
    conversation_id: record.conversationId,
    silence_of: record.silenceOf,
    matched_rules: record.matchedRules,
    ignored: record.ignored,
    verdicts: record.verdicts.map(presentVerdict),
    stopped_by: record.stoppedBy,
    actions: record.actions.map((action) => presentAction(action, replies)),
    decided_at: new Date(record.decidedMs).toISOString(),
  };
}

function presentVerdict({ ruleId, version, outcome, predicates }: RuleVerdict): JsonObject {
  const compared = predicates.map(({ path, field, match, seen, matched }) => ({ path, field, match, seen, matched }));
  return { rule_id: ruleId, version, outcome, predicates: compared as JsonValue };
}

function presentAction(done: DoneAction, replies: readonly ReplyFate[]): JsonObject {
  const { ruleId, index, action, outcome, why } = done;
  const fate = replies.find((reply) => reply.rule_id === ruleId && reply.action === index);
  const shown = { rule_id: ruleId, index, action };
  if (fate?.state === 'sent') return { ...shown, outcome: 'done', why: null, message_id: fate.message_id };
  if (fate?.state === 'failed')
    return { ...shown, outcome: 'failed', why: fate.error?.message ?? null, message_id: null };
  return { ...shown, outcome, why, message_id: null };
}

/** A decision that was not carried out. */
export function presentTrial({ ignored, verdicts, stoppedBy, actions }: Decision): JsonObject {
  return {
    ignored,
    verdicts: verdicts.map(presentVerdict),
    stopped_by: stoppedBy,
    actions: actions.map(({ ruleId, index, action, withheld }) => ({
      rule_id: ruleId,
      index,
      action: action as JsonObject,
      withheld,
    })),
  };
}
