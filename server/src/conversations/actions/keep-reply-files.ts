import { extendReplyFiles } from '#conversations/store/canned-replies';
import type { Database } from '#database/database';
import { DAY_MS } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

/** Extends the files of canned replies half way to their end, so that they never expire while a canned reply has them. @returns how many */
export function keepReplyFiles(rt: Runtime, db: Database): Promise<number> {
  return extendReplyFiles(db, { nowMs: rt.clock.now(), keptMs: rt.config.mediaRetentionDays * DAY_MS });
}
