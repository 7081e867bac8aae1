import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pause, pollUntil } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const HEALTHY = 99;
/** Others may be slower by a tenth at the 99th percentile while one endpoint hangs. */
const WANTED_RATIO = 1.1;
/** Between two events: all endpoints together get a few dozen deliveries a second, as a service at work does. */
const GAP_MS = 25;
const ARRIVE_WITHIN_MS = 60_000;
const HANGING = '/hanging';

/**
 * From the request for an event to its arrival at the endpoint, for 99 endpoints that answer at once, with and without
 * a hundredth that never answers. Rounds alternate on one server. The events are made up (`/test`): each goes to one
 * endpoint, so that the time is that of its delivery alone.
 */
export const webhooks: Scenario = {
  name: 'webhooks',
  databases: ['postgres', 'pglite'],
  run: (bench) => {
    const settings = { ...UNLIMITED, MESSAGING_WEBHOOK_ALLOW: '127.0.0.1' };
    return onStage(bench, { name: 'webhooks', settings }, (stage) => measure(bench, stage));
  },
};

/** When each event arrived first, by its id. Monotonic milliseconds of this process. */
type Arrivals = Map<string, number>;

async function measure({ database, sizes }: Bench, stage: Stage): Promise<readonly Figure[]> {
  const arrivals: Arrivals = new Map();
  const receiver = await startReceiver(arrivals);
  try {
    const { url } = stage.server;
    const add = (path: string) => call(url, '/v1/webhook-endpoints', { url: receiver.url + path });
    const healthy: string[] = [];
    for (let index = 0; index < HEALTHY; index += 1) healthy.push(await add(`/${index}`));
    const hanging = await add(HANGING);
    const [alone, beside] = [new Histogram(), new Histogram()];
    // The first round only warms up: every endpoint has to show that it answers.
    await round({ url, healthy, hanging: null, events: HEALTHY, arrivals, latency: new Histogram() });
    for (let time = 0; time < sizes.webhookRounds; time += 1) {
      const common = { url, healthy, events: sizes.webhookEvents, arrivals };
      await round({ ...common, hanging: null, latency: alone });
      await round({ ...common, hanging, latency: beside });
    }
    const [without, with1] = [alone.summary(), beside.summary()];
    const name = '99 endpoints while one hangs, queued → arrived, p99';
    const value = without.p99Ms === 0 ? 0 : with1.p99Ms / without.p99Ms;
    const figure = {
      name,
      database,
      value,
      unit: '× without',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'p99 without the hanging one, ms', value: without.p99Ms },
      detail: { without, with: with1 },
    };
    return [makeFigure(figure)];
  } finally {
    await receiver.close();
  }
}

interface Round {
  readonly url: string;
  readonly healthy: readonly string[];
  /** Null: nothing is sent to it. */
  readonly hanging: string | null;
  readonly events: number;
  readonly arrivals: Arrivals;
  readonly latency: Histogram;
}

async function round({ url, healthy, hanging, events, arrivals, latency }: Round): Promise<void> {
  const asked = new Map<string, number>();
  for (let index = 0; index < events; index += 1) {
    if (hanging !== null) await test(url, hanging);
    const askedMs = performance.now();
    asked.set(await test(url, healthy[index % healthy.length] ?? ''), askedMs);
    await pause(GAP_MS);
  }
  await pollUntil({
    what: 'not every webhook arrived',
    everyMs: 20,
    timeoutMs: ARRIVE_WITHIN_MS,
    probe: async () => ([...asked.keys()].every((id) => arrivals.has(id)) ? true : null),
  });
  for (const [id, askedMs] of asked) latency.record((arrivals.get(id) ?? askedMs) - askedMs);
}

/** @returns the id of the made-up event */
function test(url: string, endpoint: string): Promise<string> {
  return call(url, `/v1/webhook-endpoints/${endpoint}/test`, { type: 'message.received' }, 'event_id');
}

async function call(base: string, path: string, body: object, field = 'id'): Promise<string> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
  return String((JSON.parse(text) as Record<string, unknown>)[field]);
}

async function startReceiver(
  arrivals: Arrivals,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, performance.now());
    request.resume();
    // One path never answers: its connection stays open until the sender gives up.
    if (request.url !== HANGING) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
