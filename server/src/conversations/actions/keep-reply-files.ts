import { extendReplyFiles } from '#conversations/store/canned-replies';
import type { Database } from '#database/database';
import { mediaExpiry } from '#media/actions/store-media';
import type { Runtime } from '#runtime/runtime';

/** Extends the files of canned replies half way to their end, so that they never expire while a canned reply has them. @returns how many */
export function keepReplyFiles(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  const untilMs = mediaExpiry(rt);
  return extendReplyFiles(db, { nowMs, beforeMs: nowMs + (untilMs - nowMs) / 2, untilMs });
}
