import type { MessageId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { faultKind } from '#database/pg-errors';
import { reportRefused } from '#database/until-stored';
import { withEvents } from '#events/actions/with-events';
import type { RuleSet } from '#rules/domain/rule';
import { silenceStep } from '#rules/domain/silence';
import { findEvaluatedMessage } from '#rules/store/rule-facts';
import type { RuleReply } from '#rules/store/rule-replies';
import {
  claimTimers,
  findInboundAfter,
  findLastWords,
  type RuleTimer,
  startTimer,
  takeTimer,
} from '#rules/store/rule-timers';
import type { Runtime } from '#runtime/runtime';
import { EVALUATION_LEASE_MS } from './evaluate-message.ts';
import { type EvaluateDeps, evaluateMoment, historyOf } from './evaluate-moment.ts';

/** Takes silences whose time has come for this process. */
export function claimDueTimers(rt: Runtime, db: Database, limit: number): Promise<readonly RuleTimer[]> {
  const nowMs = rt.clock.now();
  return claimTimers(db, { nowMs, untilMs: nowMs + EVALUATION_LEASE_MS, limit });
}

/**
 * Checks whether a silence has lasted, and evaluates its rule if so. Nothing cancels timers: messages since then are
 * looked up now, so that waiting costs the messages nothing.
 * @returns the replies to send after the commit
 */
export function fireTimer(parts: EvaluateDeps, timer: RuleTimer): Promise<readonly RuleReply[]> {
  const { rt, db, ruleCache } = parts;
  const { tenantId, ruleId, contactId } = timer;
  return withEvents(rt, db, async (tx, events) => {
    if (!(await takeTimer(tx, timer))) return [];
    const set = await ruleCache.of(tx, tenantId);
    const history = await historyOf(tx, set, { tenantId, contactId });
    const message = await findEvaluatedMessage(tx, tenantId, timer.messageId);
    if (message === null) return [];
    if (!(await hasLasted(parts, tx, { timer, set, customer: message.sender }))) return [];
    return evaluateMoment(parts, tx, events, {
      tenantId,
      decisionId: timer.timerId,
      message,
      opened: false,
      silenceOf: ruleId,
      history,
      set,
    });
  });
}

/**
 * A silence that cannot be evaluated because of the content of its rows is forgotten, so that it does not come up for
 * ever.
 */
export async function forgetTimer({ rt, db }: EvaluateDeps, timer: RuleTimer, error: unknown): Promise<void> {
  if (faultKind(error) !== 'row') return;
  const { tenantId, ruleId, timerId } = timer;
  reportRefused(rt, { what: 'timer', ids: { tenantId, ruleId, timerId } }, error);
  await db.transaction((tx) => takeTimer(tx, timer));
}

interface Waiting {
  readonly timer: RuleTimer;
  readonly set: RuleSet;
  /** Digits, or a user id. */
  readonly customer: string;
}

/** Whether the rule is due now; otherwise the timer continues, or is deleted. */
async function hasLasted({ rt }: EvaluateDeps, tx: Transaction, { timer, set, customer }: Waiting): Promise<boolean> {
  const trigger = set.rules.find(({ rule }) => rule.ruleId === timer.ruleId)?.rule.trigger;
  // Switched off, or changed since.
  if (trigger?.on !== 'no_reply') return false;
  const words = await findLastWords(tx, timer, customer);
  if (words === null) return false;
  const forMs = trigger.for_s * 1000;
  const nowMs = rt.clock.now();
  const step = silenceStep({ who: trigger.who, forMs, startedMs: timer.startedMs }, words, nowMs);
  switch (step.kind) {
    case 'true':
      return true;
    case 'over':
      return false;
    case 'later':
      await startTimer(tx, { ...timer, dueMs: step.dueMs }, 'keep');
      return false;
    case 'after_answer':
      await waitAnew(tx, timer, { answer: step.answer, forMs });
      return false;
    default:
      return step satisfies never;
  }
}

/** What the customer wrote after an answer waits for the next one. */
async function waitAnew(
  tx: Transaction,
  timer: RuleTimer,
  { answer, forMs }: { readonly answer: MessageId; readonly forMs: number },
): Promise<void> {
  const next = await findInboundAfter(tx, timer, answer);
  if (next === null) return;
  const { messageId, createdMs: startedMs } = next;
  await startTimer(tx, { ...timer, messageId, startedMs, dueMs: startedMs + forMs }, 'keep');
}
