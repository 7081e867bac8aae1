import { ask } from '../../harness/ask.ts';
import { pause, pollUntil } from '../../harness/pause.ts';
import { PHONE_NUMBER_ID, type Server } from '../../harness/server.ts';
import { Connection, refusalOf } from '../../load/connection.ts';
import { readProgress, STATUSES_PER_MESSAGE } from '../../progress.ts';
import { type Random, seededRandom } from '../../random.ts';
import type { SeededTenant } from './seed-tenants.ts';

/** Between two posts of one quiet tenant: fifty of them post twenty times a second. */
const LEAST_GAP_MS = 1_500;
const MOST_GAP_MS = 3_500;
const FIRST_RECIPIENT = 15_554_000_000;
const SETTLED_WITHIN_MS = 60_000;

/** A tenant that posts now and then. */
export interface Caller {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: Random;
  /** A recipient without earlier messages. */
  nextRecipient(): string;
}

/** A connection for each tenant; what they post is the same for the same seed. */
export function openCallers(
  { server, tenants }: { readonly server: Server; readonly tenants: readonly SeededTenant[] },
  seed: number,
): readonly Caller[] {
  let recipient = FIRST_RECIPIENT;
  return tenants.map(({ key }, index) => ({
    connection: new Connection(server.url),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    random: seededRandom(seed * tenants.length + index),
    nextRecipient: () => {
      recipient += 1;
      return String(recipient);
    },
  }));
}

/** Posts at times that no answer changes, until `toMs`. @throws Error when one is not accepted */
export async function post(caller: Caller, posted: Map<string, number>, toMs: number): Promise<void> {
  const { connection, headers, random } = caller;
  const answers: Promise<string | null>[] = [];
  let dueMs = Date.now() + random.between(0, MOST_GAP_MS - LEAST_GAP_MS);
  while (dueMs < toMs) {
    await pause(Math.max(0, dueMs - Date.now()));
    const to = caller.nextRecipient();
    const body = JSON.stringify({ to, body: 'Your code is 471 100.' });
    posted.set(to, Date.now());
    answers.push(refusalOf(connection, { method: 'POST', path: '/v1/messages', headers, body }));
    dueMs += random.between(LEAST_GAP_MS, MOST_GAP_MS);
  }
  const refused = (await Promise.all(answers)).find((refusal) => refusal !== null);
  if (refused) throw new Error(refused);
}

/** Waits until nothing is on its way: every send has its statuses, and no further one left in the meantime. */
export async function settled(server: Server): Promise<void> {
  let before = -1;
  await pollUntil({
    what: 'not every status of what was sent arrived',
    everyMs: 200,
    timeoutMs: SETTLED_WITHIN_MS,
    probe: async () => {
      const { sent, statuses } = await readProgress(server, () => performance.now());
      const rests = sent === before && statuses === sent * STATUSES_PER_MESSAGE;
      before = sent;
      return rests ? true : null;
    },
  });
}

/** Pauses the number of the first tenant, or resumes it. */
export async function pauseNoisy({ url }: Server, paused: boolean): Promise<void> {
  const body = { status: paused ? 'paused' : 'active' };
  await ask({ origin: url, method: 'PATCH', path: `/v1/phone-numbers/${PHONE_NUMBER_ID}`, body });
}
