import type { MessageId } from '#core/ids';
import type { RuleSet } from '#core/rules/rule';
import { silenceStep } from '#core/rules/silence';
import type { Runtime } from '#runtime/runtime';
import type { Database, SqlRunner } from '#storage/database';
import { faultKind } from '#storage/faults';
import { findJudgedMessage } from '#storage/rule-facts';
import type { RuleReply } from '#storage/rule-replies';
import {
  claimTimers,
  findInboundAfter,
  findLastWords,
  type RuleTimer,
  startTimer,
  takeTimer,
} from '#storage/rule-timers';
import { JUDGE_LEASE_MS } from './judge-message.ts';
import { historyOf, type JudgeParts, judgeMoment } from './judge-moment.ts';
import { reportRefused } from './until-stored.ts';
import { withEvents } from './with-events.ts';

export type { RuleTimer };

/** Takes silences whose time has come for this process. */
export function claimDueTimers(rt: Runtime, db: Database, limit: number): Promise<readonly RuleTimer[]> {
  const nowMs = rt.clock.now();
  return claimTimers(db, { nowMs, untilMs: nowMs + JUDGE_LEASE_MS, limit });
}

/**
 * Looks whether a silence has lasted, and judges its rule if so. Nothing cancels timers: who wrote meanwhile is looked up
 * now, so that waiting costs the messages nothing.
 * @returns the replies to send after the commit
 */
export function fireTimer(parts: JudgeParts, timer: RuleTimer): Promise<readonly RuleReply[]> {
  const { rt, db, book } = parts;
  const { tenantId, ruleId, contactId } = timer;
  return withEvents(rt, db, async (tx, events) => {
    if (!(await takeTimer(tx, timer))) return [];
    const set = await book.of(tx, tenantId);
    const history = await historyOf(tx, set, { tenantId, contactId });
    const message = await findJudgedMessage(tx, tenantId, timer.messageId);
    if (message === null || message.fromPhone === null) return [];
    if (!(await hasLasted(parts, tx, { timer, set, phone: message.fromPhone }))) return [];
    return judgeMoment(parts, tx, events, {
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

/** A silence that cannot be looked at because of what its rows hold is forgotten, so that it does not come up for ever. */
export async function forgetTimer({ rt, db }: JudgeParts, timer: RuleTimer, error: unknown): Promise<void> {
  if (faultKind(error) !== 'row') return;
  const { tenantId, ruleId, timerId } = timer;
  reportRefused(rt, { what: 'timer', ids: { tenantId, ruleId, timerId } }, error);
  await db.transaction((tx) => takeTimer(tx, timer));
}

interface Waiting {
  readonly timer: RuleTimer;
  readonly set: RuleSet;
  readonly phone: string;
}

/** Whether the rule is due now; otherwise the timer goes on, or is gone. */
async function hasLasted({ rt }: JudgeParts, tx: SqlRunner, { timer, set, phone }: Waiting): Promise<boolean> {
  const trigger = set.rules.find(({ rule }) => rule.ruleId === timer.ruleId)?.rule.trigger;
  // Switched off, or changed since.
  if (trigger?.on !== 'no_reply') return false;
  const words = await findLastWords(tx, timer, phone);
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
  tx: SqlRunner,
  timer: RuleTimer,
  { answer, forMs }: { readonly answer: MessageId; readonly forMs: number },
): Promise<void> {
  const next = await findInboundAfter(tx, timer, answer);
  if (next === null) return;
  const { messageId, createdMs: startedMs } = next;
  await startTimer(tx, { ...timer, messageId, startedMs, dueMs: startedMs + forMs }, 'keep');
}
