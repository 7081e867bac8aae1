import { request } from 'undici';
import { pollUntil } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import type { Arena } from './arena.ts';
import { readLeftOver } from './snapshot.ts';

const POLL_MS = 100;
/** From the end of the load: takeover of a dead owner (6 s), the wait for unknown outcomes, retries of the network's own refusals. */
const REST_WITHIN_MS = 60_000;

/**
 * Resolves when nothing is owed any more: no send waits and the network has no callback left.
 * @throws Error when that takes longer than any fault explains
 */
export async function untilAtRest(arena: Arena): Promise<void> {
  const probe = async (): Promise<true | null> => {
    const { callbacks_pending } = await arena.simulator.control<{ callbacks_pending: number }>('GET', '/_sim/stats');
    return callbacks_pending === 0 && (await nothingWaits(arena)) ? true : null;
  };
  await pollUntil({ what: 'messages or callbacks still wait', everyMs: POLL_MS, timeoutMs: REST_WITHIN_MS, probe });
}

function nothingWaits(arena: Arena): Promise<boolean> {
  return arena.database === 'pglite' ? nothingListed(arena.serverUrl) : nothingQueued(arena);
}

async function nothingQueued(arena: Arena): Promise<boolean> {
  const database = await arena.open();
  try {
    const { sendQueue, callbackQueue } = await readLeftOver(database);
    return sendQueue === 0 && callbackQueue === 0;
  } finally {
    await database.close();
  }
}

/** The embedded database can be asked only through its server. */
async function nothingListed(serverUrl: string): Promise<boolean> {
  for (const status of ['queued', 'sending']) {
    const answer = await request(`${serverUrl}/v1/messages/outbound?status=${status}&limit=1`, {
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    const { data } = (await answer.body.json()) as { data: readonly unknown[] };
    if (answer.statusCode !== 200 || data.length > 0) return false;
  }
  return true;
}
