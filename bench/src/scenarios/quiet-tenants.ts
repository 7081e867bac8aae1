import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readLedger } from '../chaos/ledger.ts';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { ask } from '../harness/ask.ts';
import { pause, pollUntil } from '../harness/pause.ts';
import { PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import type { Stage } from '../harness/stage.ts';
import { Histogram, type LatencySummary } from '../histogram.ts';
import { Connection } from '../load/connection.ts';
import { readProgress, STATUSES_PER_MESSAGE } from '../progress.ts';
import { type Random, seededRandom } from '../random.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { seedRows } from './seed-rows.ts';
import { type SeededTenant, seedTenants } from './seed-tenants.ts';

const QUIET_TENANTS = 50;
/** A quiet tenant may wait twice as long beside the backlog as it does when nobody else sends. */
const WANTED_RATIO = 2;
/** Between two posts of one quiet tenant: together they post twenty times a second. */
const LEAST_GAP_MS = 1_500;
const MOST_GAP_MS = 3_500;
const FIRST_RECIPIENT = 15_554_000_000;
const SETTLED_WITHIN_MS = 60_000;
const MS_PER_SECOND = 1000;
const LIVE = { MESSAGING_WEBHOOK_ALLOW: '127.0.0.1' } as const;
const API_ONLY = { ...LIVE, MESSAGING_ROLES: 'api' } as const;

/**
 * From the post of a quiet tenant to the network's accept, for fifty of them, while another tenant sends a long backlog
 * as fast as its number may and its webhook endpoint answers nothing; compared with the same while that number is paused.
 * Rounds alternate on one server. All limits are the defaults of an installation, each tenant has a number of its own.
 */
export const quietTenants: Scenario = {
  name: 'quiet-tenants',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'quiet-tenants', settings: API_ONLY }, (stage) => prepare(bench, stage)),
};

async function prepare(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const receiver = await startSilentReceiver();
  try {
    const { url: origin } = stage.server;
    await ask({ origin, method: 'POST', path: '/v1/webhook-endpoints', body: { url: receiver.url } });
    await pauseNoisy(stage.server, true);
    const nowMs = Date.now();
    let tenants: readonly SeededTenant[] = [];
    const server = await stage.replaceServer(LIVE, async () => {
      await seedRows(stage, { count: bench.sizes.noisyMessages, state: 'queued', nowMs });
      tenants = await seedTenants(stage, { count: QUIET_TENANTS, nowMs });
    });
    return [await measure(bench, { server, tenants, held: receiver.held, ledgerFile: stage.simulator.ledgerFile })];
  } finally {
    await receiver.close();
  }
}

interface Parts {
  readonly server: Server;
  readonly tenants: readonly SeededTenant[];
  readonly ledgerFile: string;
  /** Webhooks that got no answer so far. */
  readonly held: () => number;
}

interface Round {
  readonly posted: Map<string, number>;
  readonly noisy: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

async function measure(bench: Bench, parts: Parts): Promise<Figure> {
  const { sizes } = bench;
  const callers = openCallers(parts, bench.seed);
  const rounds: Round[] = [];
  try {
    // Both ways once, uncounted: the server has just started.
    for (const noisy of [false, true]) await round(parts.server, callers, { noisy, seconds: sizes.quietSeconds / 2 });
    for (let time = 0; time < sizes.quietRounds; time += 1) {
      for (const noisy of time % 2 === 0 ? [false, true] : [true, false])
        rounds.push(await round(parts.server, callers, { noisy, seconds: sizes.quietSeconds }));
    }
  } finally {
    await Promise.all(callers.map(({ connection }) => connection.close()));
  }
  return figure(bench, parts, rounds);
}

interface Caller {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: Random;
  /** A number that nobody was written to before. */
  nextRecipient(): string;
}

function openCallers({ server, tenants }: Parts, seed: number): readonly Caller[] {
  let recipient = FIRST_RECIPIENT;
  return tenants.map(({ key }, index) => ({
    connection: new Connection(server.url),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    random: seededRandom(seed * QUIET_TENANTS + index),
    nextRecipient: () => {
      recipient += 1;
      return String(recipient);
    },
  }));
}

/** Quiet tenants post for some seconds, with the backlog on its way or kept back. Ends with it kept back, and all that was sent told. */
async function round(
  server: Server,
  callers: readonly Caller[],
  { noisy, seconds }: { readonly noisy: boolean; readonly seconds: number },
): Promise<Round> {
  if (noisy) await pauseNoisy(server, false);
  const posted = new Map<string, number>();
  const fromMs = Date.now();
  const toMs = fromMs + seconds * MS_PER_SECOND;
  await Promise.all(callers.map((caller) => post(caller, posted, toMs)));
  if (noisy) await pauseNoisy(server, true);
  await settled(server);
  return { posted, noisy, fromMs, toMs };
}

/** Posts at times that no answer changes, until `toMs`. @throws Error when one is not accepted */
async function post(caller: Caller, posted: Map<string, number>, toMs: number): Promise<void> {
  const { connection, headers, random } = caller;
  const answers: Promise<number>[] = [];
  let dueMs = Date.now() + random.between(0, MOST_GAP_MS - LEAST_GAP_MS);
  while (dueMs < toMs) {
    await pause(Math.max(0, dueMs - Date.now()));
    const to = caller.nextRecipient();
    const body = JSON.stringify({ to, body: 'Your code is 471 100.' });
    posted.set(to, Date.now());
    answers.push(new Promise((done) => connection.ask({ method: 'POST', path: '/v1/messages', headers, body }, done)));
    dueMs += random.between(LEAST_GAP_MS, MOST_GAP_MS);
  }
  const refused = (await Promise.all(answers)).find((status) => status !== 202);
  if (refused !== undefined) throw new Error(`A quiet tenant was answered with ${refused} instead of 202.`);
}

/** Waits until nothing is on its way: every send has its statuses, and no further one left meanwhile. */
async function settled(server: Server): Promise<void> {
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

function figure({ database, sizes, say }: Bench, { ledgerFile, held }: Parts, rounds: readonly Round[]): Figure {
  const ledger = readLedger(ledgerFile);
  const acceptedAt = new Map(ledger.map(({ to, acceptedAtMs }) => [to, acceptedAtMs]));
  const backlog = ledger.filter(({ phoneNumberId }) => phoneNumberId === PHONE_NUMBER_ID);
  const [alone, beside] = [new Histogram(), new Histogram()];
  let missing = 0;
  for (const { posted, noisy } of rounds)
    for (const [to, atMs] of posted) {
      const reachedMs = acceptedAt.get(to);
      if (reachedMs === undefined) missing += 1;
      else (noisy ? beside : alone).record(reachedMs - atMs);
    }
  const during = rounds.filter(({ noisy }) => noisy);
  const noisySeconds = during.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / MS_PER_SECOND, 0);
  const left = backlog.filter(({ acceptedAtMs: at }) => during.some(({ fromMs, toMs }) => at >= fromMs && at <= toMs));
  // Without these it would not have been measured beside anything.
  const wasNoisy = left.length > 0 && backlog.length < sizes.noisyMessages && held() > 0;
  const [without, with_] = [alone.summary(), beside.summary()];
  say(`  p50/p99 ${shown(without)} alone, ${shown(with_)} beside ${(left.length / noisySeconds).toFixed(0)}/s`);
  return makeFigure(
    {
      name: `${QUIET_TENANTS} quiet tenants beside a backlog, post → network, p99`,
      database,
      value: without.p99Ms === 0 ? 0 : with_.p99Ms / without.p99Ms,
      unit: '× alone',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'itself a ratio', value: 1 },
      detail: {
        alone: without,
        beside: with_,
        backlog: sizes.noisyMessages,
        backlogPerSecond: left.length / noisySeconds,
        webhooksHeld: held(),
        quietNotSent: missing,
      },
    },
    wasNoisy && missing === 0,
  );
}

function shown({ p50Ms, p99Ms }: LatencySummary): string {
  return `${p50Ms.toFixed(1)}/${p99Ms.toFixed(1)} ms`;
}

async function pauseNoisy({ url }: Server, paused: boolean): Promise<void> {
  const body = { status: paused ? 'paused' : 'active' };
  await ask({ origin: url, method: 'PATCH', path: `/v1/phone-numbers/${PHONE_NUMBER_ID}`, body });
}

interface SilentReceiver {
  readonly url: string;
  readonly held: () => number;
  close(): Promise<void>;
}

/** A webhook endpoint that takes every request and answers none. */
async function startSilentReceiver(): Promise<SilentReceiver> {
  let held = 0;
  const server = createServer((incoming) => {
    held += 1;
    incoming.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    held: () => held,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
