import type { DispatchDatabase } from '#operations/dispatch-database';
import type { DueWork } from '#operations/due-work';
import { claimDueTimers, fireTimer, forgetTimer, type RuleTimer } from '#operations/fire-timer';
import {
  type ClaimedMessage,
  claimMessages,
  giveUpJudging,
  judgeMessage,
  MAX_JUDGINGS,
  type RuleReply,
} from '#operations/judge-message';
import type { JudgeParts } from '#operations/judge-moment';
import { claimDueReplies, type ReplyParts, sendRuleReply } from '#operations/send-rule-replies';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';

/** Judges what customers wrote, and sends what rules answer. */
export interface RuleRunner {
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
  /** Judges what is queued now. @returns how many messages */
  judgeOnce(): Promise<number>;
  /** Looks at the silences whose time has come. @returns how many */
  fireOnce(): Promise<number>;
  /** Sends what a killed process left. @returns how many */
  sendOnce(): Promise<number>;
}

export interface RunnerParts extends JudgeParts, ReplyParts {
  readonly rt: Runtime;
  readonly db: DispatchDatabase;
  readonly due: DueWork;
}

/** Messages of other processes, and those whose bell was lost, wait so long at most. */
const POLL_MS = 1_000;
/** How exact a silence is. */
const TIMER_MS = 1_000;
/** How soon left replies are looked for once their lease is over. */
const LEFT_MS = 5_000;
/** After a bell this process waits for company: one look then finds all that came together. */
const GATHER_MS = 25;
const AT_ONCE = 100;

/** Claims are leases in the database: any number of processes share the work, and a killed one only delays it. */
export function makeRuleRunner(parts: RunnerParts): RuleRunner {
  const { rt, db, due } = parts;
  const judgeOnce = async (): Promise<number> => {
    const claimed = await claimMessages(rt, db, AT_ONCE);
    await perContact(claimed, (message) => judgeAndReply(parts, message));
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
  const bell = makeBellLoop(parts, () => untilEmpty(judgeOnce));
  const fire = due.gate('rule_timer', () => untilEmpty(fireOnce));
  const loops = [
    new Loop(rt, TIMER_MS, 'rule_timers', fire),
    new Loop(rt, LEFT_MS, 'rule_replies', () => untilEmpty(sendOnce)),
  ];
  return {
    judgeOnce,
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
function makeBellLoop({ rt, due }: RunnerParts, step: () => Promise<void>): Pick<RuleRunner, 'start' | 'stop'> {
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
  const ring = (): void => {
    cancel ??= rt.clock.after(GATHER_MS, () => {
      cancel = null;
      // A failure is the loop's to log: the poll runs into it as well.
      run().catch(() => undefined);
    });
  };
  const loop = new Loop(rt, POLL_MS, 'rules', due.gate('rule_message', run));
  return {
    start: () => {
      silence = rt.eventBell.listen(ring);
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
  claimed: readonly ClaimedMessage[],
  judge: (message: ClaimedMessage) => Promise<void>,
): Promise<void> {
  const chains = new Map<string, Promise<void>>();
  for (const message of claimed) {
    const before = chains.get(message.contactId) ?? Promise.resolve();
    chains.set(
      message.contactId,
      before.then(() => judge(message)),
    );
  }
  await Promise.all(chains.values());
}

/** Never throws: a message that cannot be judged now comes up again when its lease is over. */
async function judgeAndReply(parts: RunnerParts, message: ClaimedMessage): Promise<void> {
  const { rt } = parts;
  const { tenantId, messageId, attempt } = message;
  try {
    if (attempt > MAX_JUDGINGS) return await giveUpJudging(parts, message);
    await sendAll(parts, await judgeMessage(parts, message));
  } catch (error) {
    rt.log.warn({ tenantId, messageId, attempt, error: (error as Error).message }, 'rules.judging_failed');
  }
}

async function fireAndReply(parts: RunnerParts, timer: RuleTimer): Promise<void> {
  try {
    await sendAll(parts, await fireTimer(parts, timer));
  } catch (error) {
    await forgetTimer(parts, timer, error);
    throw error;
  }
}

/** What fails holds up nothing that was claimed with it. It comes up again when its lease is over, unless it was ended. */
async function apart(
  { rt }: RunnerParts,
  { tenantId, ruleId }: Pick<RuleReply, 'tenantId' | 'ruleId'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    rt.log.warn({ tenantId, ruleId, error: (error as Error).message }, 'rules.step_failed');
  }
}

async function sendAll(parts: RunnerParts, replies: readonly RuleReply[]): Promise<void> {
  for (const reply of replies) await sendRuleReply(parts, reply, 1);
}
