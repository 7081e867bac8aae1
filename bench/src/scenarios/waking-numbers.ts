import { readLedger } from '../chaos/ledger.ts';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pause, pollUntil } from '../harness/pause.ts';
import type { Server } from '../harness/server.ts';
import type { Stage } from '../harness/stage.ts';
import { Histogram, type LatencySummary } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { settled } from './support/quiet-callers.ts';
import { type SeededTenant, seedTenants } from './support/seed-tenants.ts';

const TENANTS = 50;
const WANTED_MS = 2_000;
/** CPU time of the service and the database together that the numbers add, as a part of one core. */
const WANTED_IDLE_PERCENT = 2;
const LEAST_PERCENT = 0.01;
const FIRST_RECIPIENT = 15_556_000_000;
const SETTLE_MS = 5_000;
const SENT_WITHIN_MS = 60_000;
/** Ahead of the moment at which all scheduled messages are due: they are accepted by then. */
const AHEAD_MS = 3_000;

/**
 * Thousands of numbers with nothing to send, then a message for each of them: posted within the same moment, or
 * scheduled for it. All limits are the defaults of an installation.
 */
export const wakingNumbers: Scenario = {
  name: 'waking-numbers',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'waking-numbers', settings: {} }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const { wakingNumbers: numbers, wakingIdleSeconds, wakingRounds } = bench.sizes;
  let tenants: readonly SeededTenant[] = [];
  const oneNumber = await idleShare(bench, stage.server, wakingIdleSeconds);
  const server = await stage.replaceServer({}, async () => {
    tenants = await seedTenants(stage, { count: TENANTS, nowMs: Date.now(), numbersEach: numbers / TENANTS });
  });
  const allNumbers = await idleShare(bench, server, wakingIdleSeconds);
  const figures = [idleFigure(bench, { oneNumber, allNumbers })];
  for (const way of ['posted', 'scheduled'] as const) {
    const latency = new Histogram();
    let cpuMs = 0;
    for (let round = 0; round < wakingRounds; round += 1)
      cpuMs += await wake({ bench, stage, server, tenants, way, first: FIRST_RECIPIENT + round * numbers, latency });
    figures.push(
      wakeFigure(bench, { way, latency: latency.summary(), cpuMsPerNumber: cpuMs / wakingRounds / numbers }),
    );
  }
  return figures;
}

/** @returns the CPU time of service and database while nothing happens, in percent of a core */
async function idleShare(bench: Bench, server: Server, seconds: number): Promise<number> {
  // What a start leaves to do is done by then.
  await pause(SETTLE_MS);
  const [serverMs, databaseMs, startedMs] = [server.cpuMs(), cpuOfDatabase(bench), performance.now()];
  await pause(seconds * 1000);
  const percentOf = (cpuMs: number): number => (cpuMs / (performance.now() - startedMs)) * 100;
  const [ours, theirs] = [percentOf(server.cpuMs() - serverMs), percentOf(cpuOfDatabase(bench) - databaseMs)];
  bench.say(`  idle: service ${ours.toFixed(2)} %, database ${theirs.toFixed(2)} % of a core`);
  return ours + theirs;
}

/** The embedded one runs in the process of the service. */
function cpuOfDatabase({ database, postgres }: Bench): number {
  return database === 'postgres' ? (postgres?.cpuMs() ?? 0) : 0;
}

interface Waking {
  readonly bench: Bench;
  readonly stage: Stage;
  readonly server: Server;
  readonly tenants: readonly SeededTenant[];
  readonly way: 'posted' | 'scheduled';
  /** Recipient of the first number. */
  readonly first: number;
  readonly latency: Histogram;
}

/**
 * One message for each number; records the time from its post, or its due time, to the network's accept.
 * @returns the CPU time of service and database until all were sent
 */
async function wake({ bench, stage, server, tenants, way, first, latency }: Waking): Promise<number> {
  const before = readLedger(stage.simulator.ledgerFile).length;
  const dueMs = way === 'posted' ? Date.now() : Date.now() + AHEAD_MS;
  const sendAt = way === 'posted' ? {} : { send_at: new Date(dueMs).toISOString() };
  let recipient = first;
  const bodies = tenants.map(({ phoneNumberIds }) =>
    phoneNumberIds.map((id) => ({ phone_number_id: id, to: String(recipient++), body: 'Doors open at 7.', ...sendAt })),
  );
  const startMs = server.cpuMs() + cpuOfDatabase(bench);
  await Promise.all(tenants.map(({ key }, index) => postBatch(server.url, key, bodies[index] ?? [])));
  const count = recipient - first;
  const sent = await pollUntil({
    what: 'not every number sent its message',
    everyMs: 100,
    timeoutMs: SENT_WITHIN_MS,
    probe: async () => {
      const sent = readLedger(stage.simulator.ledgerFile).slice(before);
      return sent.length >= count ? sent : null;
    },
  });
  const cpuMs = server.cpuMs() + cpuOfDatabase(bench) - startMs;
  if (new Set(sent.map(({ phoneNumberId }) => phoneNumberId)).size !== count)
    throw new Error('Not every number sent one message.');
  for (const { acceptedAtMs } of sent) latency.record(acceptedAtMs - dueMs);
  await settled(server);
  return cpuMs;
}

/** @throws Error unless every message is accepted */
async function postBatch(origin: string, key: string, messages: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/v1/messages/batch`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ messages }),
  });
  const { data } = (await answer.json()) as { data?: readonly { readonly status: number }[] };
  const refused = data?.find(({ status }) => status !== 202);
  if (data === undefined || refused !== undefined)
    throw new Error(`A batch was answered ${answer.status}, a message in it ${refused?.status ?? 'not at all'}.`);
}

interface Idle {
  readonly oneNumber: number;
  readonly allNumbers: number;
}

function idleFigure({ database, sizes }: Bench, { oneNumber, allNumbers }: Idle): Figure {
  return makeFigure({
    name: `${sizes.wakingNumbers} numbers at rest, CPU of service and database beyond that of one`,
    database,
    // Zero would say that nothing was measured.
    value: Math.max(LEAST_PERCENT, allNumbers - oneNumber),
    unit: '% of a core',
    limit: atMost(WANTED_IDLE_PERCENT),
    yardstick: { name: 'one number', value: oneNumber },
    detail: { oneNumber, allNumbers, seconds: sizes.wakingIdleSeconds },
  });
}

interface Woken {
  readonly way: Waking['way'];
  readonly latency: LatencySummary;
  readonly cpuMsPerNumber: number;
}

function wakeFigure({ database, sizes }: Bench, { way, latency, cpuMsPerNumber }: Woken): Figure {
  const from = way === 'posted' ? 'post' : 'due time';
  return makeFigure({
    name: `${sizes.wakingNumbers} numbers with a message each at once, ${from} → network, slowest`,
    database,
    value: latency.maxMs,
    unit: 'ms',
    limit: atMost(WANTED_MS),
    yardstick: { name: 'p99', value: latency.p99Ms },
    detail: { latency, cpuMsPerNumber, rounds: sizes.wakingRounds },
  });
}
