import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readLedger } from '../chaos/ledger.ts';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { ask } from '../harness/ask.ts';
import { PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import type { Stage } from '../harness/stage.ts';
import { Histogram, type LatencySummary } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { type Caller, openCallers, pauseNoisy, post, settled } from './support/quiet-callers.ts';
import { seedRows } from './support/seed-rows.ts';
import { type SeededTenant, seedTenants } from './support/seed-tenants.ts';

const QUIET_TENANTS = 50;
/** A quiet tenant may wait twice as long beside the backlog as it does when no other tenant sends. */
const WANTED_RATIO = 2;
const MS_PER_SECOND = 1000;
const LIVE = { MESSAGING_WEBHOOK_ALLOW: '127.0.0.1' } as const;
const API_ONLY = { ...LIVE, MESSAGING_ROLES: 'api' } as const;

/**
 * From the post of a quiet tenant to the network's accept, for fifty of them, while another tenant sends a long backlog
 * as fast as its number may and its webhook endpoint answers nothing; compared with the same while that number is
 * paused. Rounds alternate on one server. All limits are the defaults of an installation, each tenant has its own
 * number.
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

/**
 * Quiet tenants post for some seconds, with the backlog on its way or paused. Ends with it paused, and every sent
 * message reported.
 */
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
