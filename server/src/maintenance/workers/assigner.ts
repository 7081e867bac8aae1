import { expirePresence } from '#agents/actions/agent-presence';
import { assignWaiting } from '#conversations/actions/assign-next';
import { reviewReopened } from '#conversations/actions/review-reopened';
import type { Database } from '#database/database';
import type { DueWorkMonitor } from '#maintenance/actions/due-work';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';

/** How late an assignment is at most, when what allows it happened in another process, or with the time alone. */
const POLL_MS = 1_000;
/**
 * The longest delay after something happened in this process: one run then serves everything that happened in the
 * meantime.
 */
const AFTER_EVENT_MS = 200;

export interface Assigner {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Gives waiting conversations to agents: whenever something happened in this process, and at intervals, because
 * business hours begin and other processes free agents. Several processes may do it at the same time.
 */
export function makeAssigner(rt: Runtime, db: Database, due: DueWorkMonitor): Assigner {
  let isChange = true;
  const loop = new Loop(rt, POLL_MS, 'assign', async () => {
    const hadEvent = isChange;
    isChange = false;
    const mayBeDue = await Promise.all([
      due.has('agent_online'),
      due.has('agent_expired'),
      due.has('assignment_review'),
    ]);
    if (hadEvent || mayBeDue.includes(true)) await assignNow(rt, db);
  });
  let cancel: (() => void) | null = null;
  const stopListening = rt.eventSignal.listen(() => {
    cancel ??= rt.clock.after(AFTER_EVENT_MS, () => {
      cancel = null;
      isChange = true;
      loop.wake();
    });
  });
  return {
    start: () => loop.start(),
    stop: async () => {
      stopListening();
      cancel?.();
      await loop.stop();
    },
  };
}

/** Who is gone first, so that nothing is given to them. */
async function assignNow(rt: Runtime, db: Database): Promise<void> {
  const expired = await expirePresence(rt, db);
  const reviewed = await reviewReopened(rt, db);
  const assigned = await assignWaiting(rt, db);
  if (expired + reviewed + assigned > 0) rt.log.info({ expired, reviewed, assigned }, 'assignment.looked');
}
