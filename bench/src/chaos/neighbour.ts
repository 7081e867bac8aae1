import { request } from 'undici';
import { pause } from '../harness/pause.ts';

/** A tenant beside the loaded one, with a separate sending number. */
export interface Neighbour {
  readonly apiKey: string;
  readonly phoneNumberId: string;
}

/** One message of the neighbour, as its caller saw it. */
export interface NeighbourPost {
  readonly clientRef: string;
  /** Milliseconds since 1970. */
  readonly postedMs: number;
  /** Null: it was not accepted. */
  readonly id: string | null;
  /** Whether the fault of its round is the trouble of another tenant alone, so that this one must not feel it. */
  readonly isApart: boolean;
  /** Posted before the fault of its round began. */
  readonly isCalm: boolean;
}

const NAME = 'neighbour';
const PHONE_NUMBER_ID = '100000000000099';
const RECIPIENT = 15_557_000_000;
const EVERY_MS = 200;
const ANSWER_TIMEOUT_MS = 60_000;

/** Makes the tenant, its key and its number. @param operate runs a command of the operator */
export async function makeNeighbour(operate: (args: readonly string[]) => Promise<unknown>): Promise<Neighbour> {
  await operate(['tenants', 'create', NAME]);
  const { key } = (await operate(['keys', 'create', '--tenant', NAME, '--name', NAME])) as { readonly key: string };
  await operate(['numbers', 'add', PHONE_NUMBER_ID, '--phone', '+15550000099', '--tenant', NAME]);
  return { apiKey: key, phoneNumberId: PHONE_NUMBER_ID };
}

export interface NeighbourSpec {
  readonly serverUrl: string;
  readonly neighbour: Neighbour;
  readonly round: number;
  readonly isApart: boolean;
  /** When the fault of the round begins, milliseconds since 1970. */
  readonly calmUntilMs: number;
  readonly log: NeighbourPost[];
}

/** Posts at fixed moments while `going`, whatever happens to earlier posts. */
export async function runNeighbour(spec: NeighbourSpec, going: () => boolean): Promise<void> {
  const posts: Promise<void>[] = [];
  for (let count = 0; going(); count += 1) {
    posts.push(post(spec, count));
    await pause(EVERY_MS);
  }
  await Promise.all(posts);
}

async function post(spec: NeighbourSpec, count: number): Promise<void> {
  const { serverUrl, neighbour, round, isApart, calmUntilMs, log } = spec;
  const clientRef = `neighbour-r${round}-${count}`;
  const postedMs = Date.now();
  const headers = { authorization: `Bearer ${neighbour.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ to: String(RECIPIENT + count), body: `Message ${clientRef}`, client_ref: clientRef });
  const timeouts = { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS };
  const id = await request(`${serverUrl}/v1/messages`, { method: 'POST', headers, body, ...timeouts }).then(
    async (answer) => {
      const { id: made } = (await answer.body.json()) as { readonly id?: string };
      return answer.statusCode === 202 ? (made ?? null) : null;
    },
    () => null,
  );
  log.push({ clientRef, postedMs, id, isApart, isCalm: postedMs < calmUntilMs });
}
