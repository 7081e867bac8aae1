import type { Database } from '#database/database';
import type { ClaimedForRules } from '#inbound/store/rule-queue';
import type { DueWork } from '#queue/due-work';
import { Loop } from '#queue/loop';
import {
  abandonEvaluation,
  claimRuleMessages,
  evaluateMessage,
  MAX_EVALUATIONS,
} from '#rules/actions/evaluate-message';
import type { EvaluateDeps } from '#rules/actions/evaluate-moment';
import { claimDueTimers, fireTimer, forgetTimer } from '#rules/actions/fire-timer';
import { claimDueReplies, type ReplyDeps, sendRuleReply } from '#rules/actions/send-rule-replies';
import type { RuleReply } from '#rules/store/rule-replies';
import type { RuleTimer } from '#rules/store/rule-timers';
import type { Runtime } from '#runtime/runtime';

/** Evaluates what customers wrote, and sends what rules answer. */
export interface RuleRunner {
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
  /** Evaluates what is queued now. @returns how many messages */
  evaluateOnce(): Promise<number>;
  /** Evaluates the silences whose time has come. @returns how many */
  fireOnce(): Promise<number>;
  /** Sends what a killed process left. @returns how many */
  sendOnce(): Promise<number>;
}

export interface RunnerDeps extends EvaluateDeps, ReplyDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly due: DueWork<'rule_timer' | 'rule_message'>;
}

/** Messages of other processes, and those whose notification was lost, wait at most so long. */
const POLL_MS = 1_000;
/** How exact a silence is. */
const TIMER_MS = 1_000;
/** How soon unsent replies are looked for once their lease is over. */
const LEFT_MS = 5_000;
/** After a notification this process waits for more: one poll then finds all that came together. */
const GATHER_MS = 25;
const AT_ONCE = 100;

/** Claims are leases in the database: any number of processes share the work, and a killed one only delays it. */
export function makeRuleRunner(parts: RunnerDeps): RuleRunner {
  const { rt, db, due } = parts;
  const evaluateOnce = async (): Promise<number> => {
    const claimed = await claimRuleMessages(rt, db, AT_ONCE);
    await perContact(claimed, (message) => evaluateAndReply(parts, message));
    return claimed.length;
  };
  const fireOnce = async (): Promise<number> => {
    const timers = await claimDueTimers(rt, db, AT_ONCE);
    for (const timer of timers) await apart(parts, timer, () => fireAndReply(parts, timer));
    return timers.length;
  };
  const sendOnce = async (): Promise<number> => {
    const left = await claimDueReplies(rt, db, AT_ONCE);
    for (const reply of left) await apart(parts, reply, () => sendRuleReply(parts, reply, reply.attempt));
    return left.length;
  };
  const bell = makeSignalLoop(parts, () => untilEmpty(evaluateOnce));
  const fire = due.gate('rule_timer', () => untilEmpty(fireOnce));
  const loops = [
    new Loop(rt, TIMER_MS, 'rule_timers', fire),
    new Loop(rt, LEFT_MS, 'rule_replies', () => untilEmpty(sendOnce)),
  ];
  return {
    evaluateOnce,
    fireOnce,
    sendOnce,
    start: () => {
      bell.start();
      for (const loop of loops) loop.start('later');
    },
    stop: async () => {
      await Promise.all([bell.stop(), ...loops.map((loop) => loop.stop())]);
    },
  };
}

/** A loop that also runs soon after the events of a commit: one of them may be a message. */
function makeSignalLoop({ rt, due }: RunnerDeps, step: () => Promise<void>): Pick<RuleRunner, 'start' | 'stop'> {
  let running: Promise<void> | null = null;
  let wanted = false;
  let cancel: (() => void) | null = null;
  let silence: (() => void) | null = null;
  const run = (): Promise<void> => {
    wanted = true;
    running ??= whileWanted().finally(() => {
      running = null;
    });
    return running;
  };
  const whileWanted = async (): Promise<void> => {
    while (wanted) {
      wanted = false;
      await step();
    }
  };
  const wake = (): void => {
    cancel ??= rt.clock.after(GATHER_MS, () => {
      cancel = null;
      // A failure is the loop's to log: the poll runs into it as well.
      run().catch(() => undefined);
    });
  };
  const loop = new Loop(rt, POLL_MS, 'rules', due.gate('rule_message', run));
  return {
    start: () => {
      silence = rt.eventSignal.listen(wake);
      loop.start();
    },
    stop: async () => {
      silence?.();
      cancel?.();
      await loop.stop();
      await running?.catch(() => undefined);
    },
  };
}

async function untilEmpty(step: () => Promise<number>): Promise<void> {
  while ((await step()) === AT_ONCE);
}

/** Messages of one contact one after the other, those of different contacts at the same time. */
async function perContact(
  claimed: readonly ClaimedForRules[],
  evaluate: (message: ClaimedForRules) => Promise<void>,
): Promise<void> {
  const chains = new Map<string, Promise<void>>();
  for (const message of claimed) {
    const before = chains.get(message.contactId) ?? Promise.resolve();
    chains.set(
      message.contactId,
      before.then(() => evaluate(message)),
    );
  }
  await Promise.all(chains.values());
}

/** Never throws: a message that cannot be evaluated now comes up again when its lease is over. */
async function evaluateAndReply(parts: RunnerDeps, message: ClaimedForRules): Promise<void> {
  const { rt } = parts;
  const { tenantId, messageId, attempt } = message;
  try {
    if (attempt > MAX_EVALUATIONS) return await abandonEvaluation(parts, message);
    await sendAll(parts, await evaluateMessage(parts, message));
  } catch (error) {
    rt.log.warn({ tenantId, messageId, attempt, error: (error as Error).message }, 'rules.judging_failed');
  }
}

async function fireAndReply(parts: RunnerDeps, timer: RuleTimer): Promise<void> {
  try {
    await sendAll(parts, await fireTimer(parts, timer));
  } catch (error) {
    await forgetTimer(parts, timer, error);
    throw error;
  }
}

/** A failure delays nothing that was claimed with it. It comes up again when its lease is over, unless it was ended. */
async function apart(
  { rt }: RunnerDeps,
  { tenantId, ruleId }: Pick<RuleReply, 'tenantId' | 'ruleId'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    rt.log.warn({ tenantId, ruleId, error: (error as Error).message }, 'rules.step_failed');
  }
}

async function sendAll(parts: RunnerDeps, replies: readonly RuleReply[]): Promise<void> {
  for (const reply of replies) await sendRuleReply(parts, reply, 1);
}
