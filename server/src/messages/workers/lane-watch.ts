import type { Slots } from '#queue/slots';
import type { Runtime } from '#runtime/runtime';

/** A lane that waits this long beside its own full slots has a network that is slow to answer it. */
const HELD_UP_MS = 5_000;
/** One line per lane in this time. */
const REPEAT_MS = 60_000;

/** Says in the log which lanes hold their whole share of the connections for long while they have more to send. */
export function makeLaneWatch(rt: Runtime, slots: Slots): () => void {
  const warnedMs = new Map<string, number>();
  return () => {
    const nowMs = rt.clock.monotonic();
    for (const [key, atMs] of warnedMs) if (nowMs - atMs >= REPEAT_MS) warnedMs.delete(key);
    for (const { holder, held, waiting, waitedMs } of slots.heldUp(HELD_UP_MS)) {
      if (warnedMs.has(holder.key)) continue;
      warnedMs.set(holder.key, nowMs);
      rt.log.warn({ lane: holder.key, held, waiting, waitedMs: Math.round(waitedMs) }, 'send.lane_held_up');
    }
  };
}
