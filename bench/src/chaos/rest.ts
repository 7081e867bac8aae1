import { request } from 'undici';
import { pollUntil } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import type { Arena } from './arena.ts';
import { repeatStatuses } from './repeat-status.ts';
import { readRemaining } from './snapshot.ts';

const POLL_MS = 100;
/** The server notes at this pace that statuses come in. */
const REPEAT_STATUSES_MS = 1_000;
/**
 * The longest standstill that is allowed: the wait after a seventh failed attempt (128 s; a message that was refused all through a
 * storm has that many), takeover of a dead owner (6 s), the wait for unknown outcomes, a slow machine.
 */
const STILL_MS = 150_000;
/** However much there is to do. */
const REST_WITHIN_MS = 10 * 60_000;

interface NetworkStats {
  readonly accepted: number;
  readonly callbacks_pending: number;
}

/**
 * Resolves when nothing is owed any more: no send waits and the network has no callback left.
 * @throws Error when nothing moves for longer than any fault explains
 */
export async function untilAtRest(arena: Arena): Promise<void> {
  let last = '';
  let movedMs = performance.now();
  let repeatedMs = performance.now();
  const probe = async (): Promise<'rest' | 'still' | null> => {
    const wasQuiet = await nothingWaits(arena);
    const stats = await arena.simulator.control<NetworkStats>('GET', '/_sim/stats');
    // A message that left while this looked has callbacks to come, and those wait to be interpreted.
    if (wasQuiet && stats.callbacks_pending === 0 && (await nothingWaits(arena))) return 'rest';
    if (performance.now() - repeatedMs > REPEAT_STATUSES_MS) {
      await repeatStatuses(arena);
      repeatedMs = performance.now();
    }
    const seen = `${stats.accepted}/${stats.callbacks_pending}`;
    if (seen !== last) movedMs = performance.now();
    last = seen;
    return performance.now() - movedMs > STILL_MS ? 'still' : null;
  };
  const what = 'messages or callbacks still wait';
  const end = await pollUntil({ what, everyMs: POLL_MS, timeoutMs: REST_WITHIN_MS, probe });
  if (end === 'still') throw new Error(`For ${STILL_MS / 1000} s nothing moved, and messages or callbacks still wait.`);
}

function nothingWaits(arena: Arena): Promise<boolean> {
  return arena.database === 'pglite' ? nothingListed(arena) : nothingQueued(arena);
}

async function nothingQueued(arena: Arena): Promise<boolean> {
  const database = await arena.open();
  try {
    const { sendQueue, callbackQueue } = await readRemaining(database);
    return sendQueue === 0 && callbackQueue === 0;
  } finally {
    await database.close();
  }
}

/** A message moves from one to the other and back: read in this order, one that moves once in between is still seen. */
const WAITING = ['queued', 'sending', 'queued'];

/** The embedded database can be asked only through its server, and for one tenant at a time. */
async function nothingListed(arena: Arena): Promise<boolean> {
  for (const apiKey of [API_KEY, arena.neighbour.apiKey]) {
    for (const status of WAITING) {
      const answer = await request(`${arena.serverUrl}/v1/messages/outbound?status=${status}&limit=1`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      const { data } = (await answer.body.json()) as { data: readonly unknown[] };
      if (answer.statusCode !== 200 || data.length > 0) return false;
    }
  }
  return true;
}
