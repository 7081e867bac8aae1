import type { CallbackId } from '#core/ids';
import type { Database } from '#database/database';
import { appendCallbacks, findQueuedCallbacks, takeCallbacks } from '#inbound/store/callbacks';
import type { Runtime } from '#runtime/runtime';

/** A callback, taken apart: what is about somebody who has left, and what stays here; null: nothing does. */
export interface SplitCallback {
  readonly theirs: Buffer;
  /** `'all'`: what is about them may be about others too, and so the callback stays as it is. */
  readonly rest: Buffer | 'all' | null;
}

interface Handing {
  readonly rt: Runtime;
  readonly from: Database;
  readonly to: Database;
  /** Null: nothing of it is about them. */
  readonly split: (body: string) => SplitCallback | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const AT_ONCE = 200;

/**
 * Hands callbacks that wait to be interpreted over to another database, as far as they are about somebody who lives there now. They are
 * stored there first: interrupted, one is stored twice, and what it says counts once.
 * @returns how many
 */
export async function handOverCallbacks(handing: Handing): Promise<number> {
  let handed = 0;
  for (let after = FIRST_ID; ; ) {
    const queued = await findQueuedCallbacks(handing.from, after, AT_ONCE);
    for (const { callbackId, receivedMs, body } of queued) {
      const parts = handing.split(body);
      if (parts === null) continue;
      await handOver(handing, { callbackId, receivedMs, parts });
      handed += 1;
    }
    const last = queued.at(-1);
    if (last === undefined || queued.length < AT_ONCE) return handed;
    after = last.callbackId;
  }
}

interface Handed {
  readonly callbackId: CallbackId;
  readonly receivedMs: number;
  readonly parts: SplitCallback;
}

async function handOver({ rt, from, to }: Handing, { callbackId, receivedMs, parts }: Handed): Promise<void> {
  await appendCallbacks(to, rt.newId, [{ receivedMs, body: parts.theirs }]);
  const { rest } = parts;
  if (rest === 'all') return;
  await from.transaction(async (tx) => {
    const taken = await takeCallbacks(tx, [callbackId]);
    if (taken.size > 0 && rest !== null) await appendCallbacks(tx, rt.newId, [{ receivedMs, body: rest }]);
  });
}
