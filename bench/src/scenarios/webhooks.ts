import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pause } from '../harness/pause.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram, type LatencySummary } from '../histogram.ts';
import { median } from '../median.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import {
  addEndpoint,
  allArrived,
  type Receiver,
  removeEndpoint,
  startReceiver,
  testEndpoint,
} from './support/webhook-receiver.ts';

const HEALTHY = 99;
/** Others may be slower by a tenth at the 99th percentile while one endpoint hangs. */
const WANTED_RATIO = 1.1;
/** Between two events: all endpoints together get a few dozen deliveries a second, as a service at work does. */
const GAP_MS = 25;
const HUNDREDTH = '/hundredth';
/** Events that the hundredth answers first: an endpoint that is known to answer gets the most places. */
const ANSWERED_FIRST = 12;

/**
 * From the request for an event to its arrival at the endpoint, for 99 endpoints that answer immediately, beside a
 * hundredth that answers as well or that stops answering. The hundredth gets an event before each of theirs in both
 * cases, so that the load is the same and only the hanging differs. Rounds alternate on one server. The events are made
 * up (`/test`): each goes to one endpoint, so that the time is that of its delivery alone.
 */
export const webhooks: Scenario = {
  name: 'webhooks',
  databases: ['postgres', 'pglite'],
  run: (bench) => {
    const settings = { ...UNLIMITED, MESSAGING_WEBHOOK_ALLOW: '127.0.0.1', MESSAGING_WEBHOOK_ENDPOINTS: '100' };
    return onStage(bench, { name: 'webhooks', settings }, (stage) => measure(bench, stage));
  },
};

/** What the 99 were like in one round. */
interface RoundResult {
  readonly latency: LatencySummary;
  /** Requests that the hundredth left without an answer during the round. */
  readonly held: number;
}

async function measure({ database, sizes, say }: Bench, stage: Stage): Promise<readonly Figure[]> {
  const receiver = await startReceiver(HUNDREDTH);
  try {
    const { url } = stage.server;
    const healthy: string[] = [];
    for (let index = 0; index < HEALTHY; index += 1)
      healthy.push(await addEndpoint({ url }, `${receiver.url}/${index}`));
    const parts = { url, healthy, receiver, events: sizes.webhookEvents };
    // The first round only warms up: every endpoint has to show that it answers.
    await round({ ...parts, hangs: false, events: HEALTHY });
    const rounds: { readonly without: RoundResult; readonly with: RoundResult }[] = [];
    for (let time = 0; time < sizes.webhookRounds; time += 1) {
      // Each first in every second round: what one leaves behind then burdens both.
      const early = time % 2 === 0 ? await round({ ...parts, hangs: false }) : null;
      const beside = await round({ ...parts, hangs: true });
      const without = early ?? (await round({ ...parts, hangs: false }));
      if (beside.held === 0) throw new Error('The hanging endpoint held no request: nothing was measured.');
      rounds.push({ without, with: beside });
      const [one, other] = [without.latency, beside.latency].map(
        ({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)}/${p99Ms.toFixed(1)} ms`,
      );
      say(`  round ${time + 1}: p50/p99 ${one} without, ${other} with, ${beside.held} requests held`);
    }
    return [figureOf(database, rounds)];
  } finally {
    await receiver.close();
  }
}

function figureOf(
  database: Bench['database'],
  rounds: readonly { readonly without: RoundResult; readonly with: RoundResult }[],
): Figure {
  // The median: something else on the machine that wakes up spoils single rounds.
  const withoutMs = median(rounds.map((pair) => pair.without.latency.p99Ms));
  const withMs = median(rounds.map((pair) => pair.with.latency.p99Ms));
  return makeFigure({
    name: '99 endpoints while one hangs, queued → arrived, p99',
    database,
    value: withoutMs === 0 ? 0 : withMs / withoutMs,
    unit: '× without',
    limit: atMost(WANTED_RATIO),
    yardstick: { name: 'p99 without the hanging one, ms', value: withoutMs },
    detail: { rounds: [...rounds] },
  });
}

interface Round {
  readonly url: string;
  readonly healthy: readonly string[];
  /** Whether the hundredth endpoint stops to answer. */
  readonly hangs: boolean;
  readonly events: number;
  readonly receiver: Receiver;
}

async function round({ url, healthy, hangs, events, receiver }: Round): Promise<RoundResult> {
  const latency = new Histogram();
  const asked = new Map<string, number>();
  const hundredth = await addEndpoint({ url }, receiver.url + HUNDREDTH);
  const first: string[] = [];
  for (let index = 0; index < ANSWERED_FIRST; index += 1) first.push(await testEndpoint({ url }, hundredth));
  await allArrived(receiver, first);
  receiver.hang(hangs);
  const heldBefore = receiver.held();
  for (let index = 0; index < events; index += 1) {
    await testEndpoint({ url }, hundredth);
    const askedMs = performance.now();
    asked.set(await testEndpoint({ url }, healthy[index % healthy.length] ?? ''), askedMs);
    await pause(GAP_MS);
  }
  await allArrived(receiver, [...asked.keys()]);
  const held = receiver.held() - heldBefore;
  // With what is still queued for it: the next round begins without a backlog.
  await removeEndpoint({ url }, hundredth);
  receiver.hang(false);
  for (const [id, askedMs] of asked) latency.record((receiver.arrivals.get(id) ?? askedMs) - askedMs);
  return { latency: latency.summary(), held };
}
