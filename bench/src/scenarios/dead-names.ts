import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { operate } from '../harness/operate.ts';
import { pause } from '../harness/pause.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram, type LatencySummary } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import {
  addEndpoint,
  allArrived,
  type Customer,
  type Receiver,
  removeEndpoint,
  startReceiver,
  testEndpoint,
} from './support/webhook-receiver.ts';

/** Of the tenant whose names are dead. */
const ENDPOINTS = 200;
/** Of the tenant that must not feel it. */
const OTHERS = 50;
const WANTED_RATIO = 1.1;
const GAP_MS = 25;
/** What adding so many endpoints leaves to do is done by then. */
const ADDED_MS = 1_000;
/** Times those of the benchmark of webhooks: one for each dead name. */
const EVENTS_FACTOR = 2;

/**
 * From the request for an event to its arrival at 50 endpoints of one tenant, beside 200 of another tenant that answer
 * immediately, or whose names no name server answers for. The 200 get an event before each of the others in both cases,
 * so that only their names differ. Rounds alternate on one server.
 */
export const deadNames: Scenario = {
  name: 'dead-names',
  databases: ['postgres', 'pglite'],
  run: async (bench) => {
    const names = await startSilentNameServer();
    const settings = {
      ...UNLIMITED,
      MESSAGING_WEBHOOK_ALLOW: '127.0.0.1',
      MESSAGING_WEBHOOK_ENDPOINTS: '1000',
      MESSAGING_DNS_SERVERS: names.address,
    };
    return onStage(bench, { name: 'dead-names', settings }, (stage) => measure(bench, stage)).finally(names.close);
  },
};

/** Takes questions and answers none. */
async function startSilentNameServer(): Promise<{ readonly address: string; readonly close: () => void }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

interface Parts {
  readonly receiver: Receiver;
  readonly others: Customer;
  /** The endpoints of the others. */
  readonly endpoints: readonly string[];
  readonly dead: Customer;
  readonly events: number;
}

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const { sizes, programs } = bench;
  const receiver = await startReceiver('/none');
  try {
    const others = { url: stage.server.url };
    const dead = { ...others, key: await makeTenant(programs.server, stage) };
    const endpoints = await Promise.all(
      Array.from({ length: OTHERS }, (_, index) => addEndpoint(others, `${receiver.url}/${index}`)),
    );
    const parts = { receiver, others, endpoints, dead, events: EVENTS_FACTOR * sizes.webhookEvents };
    // Uncounted: every endpoint has to show that it answers.
    await round(parts, { isDead: false, into: new Histogram() });
    const [calm, beside] = [new Histogram(), new Histogram()];
    for (let time = 0; time < sizes.besideRounds; time += 1) {
      const pair = [
        { isDead: false, into: calm },
        { isDead: true, into: beside },
      ];
      // Each first in every second pair: what one leaves behind then burdens both.
      for (const one of time % 2 === 0 ? pair : pair.toReversed()) await round(parts, one);
    }
    return [figureOf(bench, calm.summary(), beside.summary())];
  } finally {
    await receiver.close();
  }
}

/** @returns its key */
async function makeTenant(program: string, { databaseUrl, dataDir }: Stage): Promise<string> {
  const server = { program, databaseUrl, dataDir };
  await operate(server, ['tenants', 'create', 'dead names']);
  const { key } = (await operate(server, ['keys', 'create', '--tenant', 'dead names', '--name', 'bench'])) as {
    readonly key: string;
  };
  return key;
}

interface Round {
  readonly isDead: boolean;
  readonly into: Histogram;
}

async function round({ receiver, others, endpoints, dead, events }: Parts, { isDead, into }: Round): Promise<void> {
  const target = (index: number): string => (isDead ? `https://name-${index}.invalid/` : `${receiver.url}/dead`);
  const beside = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, index) => addEndpoint(dead, `${target(index)}?${index}`)),
  );
  await pause(ADDED_MS);
  const asked = new Map<string, number>();
  for (let index = 0; index < events; index += 1) {
    await testEndpoint(dead, beside[index % beside.length] ?? '');
    const askedMs = performance.now();
    asked.set(await testEndpoint(others, endpoints[index % endpoints.length] ?? ''), askedMs);
    await pause(GAP_MS);
  }
  await allArrived(receiver, [...asked.keys()]);
  // With what is still queued for them: the next round begins without a backlog.
  await Promise.all(beside.map((endpoint) => removeEndpoint(dead, endpoint)));
  for (const [id, askedMs] of asked) into.record((receiver.arrivals.get(id) ?? askedMs) - askedMs);
}

function figureOf({ database, say }: Bench, calm: LatencySummary, beside: LatencySummary): Figure {
  say(`  p99 ${calm.p99Ms.toFixed(1)} ms in calm, ${beside.p99Ms.toFixed(1)} ms beside ${ENDPOINTS} dead names`);
  return makeFigure({
    name: `${OTHERS} endpoints beside ${ENDPOINTS} with dead names of another tenant, queued → arrived, p99`,
    database,
    value: calm.p99Ms === 0 ? 0 : beside.p99Ms / calm.p99Ms,
    unit: '× in calm',
    limit: atMost(WANTED_RATIO),
    yardstick: { name: 'p99 in calm, ms', value: calm.p99Ms },
    detail: { calm, beside },
  });
}
