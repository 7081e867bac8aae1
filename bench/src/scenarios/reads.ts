import { request } from 'undici';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LatencySummary } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { seedRows } from './support/seed-rows.ts';

const WANTED_RATIO = 1.5;
/** Few: the size of the tenant is measured, not how many readers a machine bears. */
const CONNECTIONS = 4;
const PAGE = 50;
const SAMPLED_PAGES = 16;
const API_ONLY = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;

/**
 * The same reads in a small tenant and in a large one; each on a separate database, with statistics and caches warm.
 */
export const reads: Scenario = {
  name: 'reads',
  databases: ['postgres', 'pglite'],
  run: async (bench) => {
    const few = await measureWith(bench, 'reads-few', bench.sizes.fewMessages);
    const many = await measureWith(bench, 'reads-many', bench.sizes.manyMessages);
    return [figure(bench, 'get', few.get, many.get), figure(bench, 'list', few.list, many.list)];
  },
};

interface Reads {
  readonly get: LatencySummary;
  readonly list: LatencySummary;
}

function measureWith(bench: Bench, name: string, messages: number): Promise<Reads> {
  return onStage(bench, { name, settings: API_ONLY }, async (stage) => {
    const server = await seeded(bench, stage, messages);
    const ids = await sampleIds(server, messages);
    const paths = ids.map((id) => `/v1/messages/${id}`);
    const get = await run(bench, server, paths);
    const list = await run(bench, server, [
      `/v1/messages/outbound?limit=${PAGE}`,
      `/v1/messages/outbound?limit=${PAGE}&phone_number_id=100000000000001`,
    ]);
    bench.say(`  ${messages} messages: get p99 ${get.p99Ms.toFixed(2)} ms, list p99 ${list.p99Ms.toFixed(2)} ms`);
    return { get, list };
  });
}

function seeded({ say }: Bench, stage: Stage, count: number): Promise<Server> {
  return stage.replaceServer(API_ONLY, async () => {
    const startMs = performance.now();
    await seedRows(stage, { count, state: 'sent', nowMs: Date.now() });
    say(`  ${count} rows in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  });
}

/** Ids all over the tenant: short pages at even distances. */
async function sampleIds(server: Server, messages: number): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const ids: string[] = [];
  for (let page = 0; page < SAMPLED_PAGES; page += 1) {
    const offset = Math.floor((page * (messages - PAGE)) / SAMPLED_PAGES);
    const answer = await request(`${server.url}/v1/messages/outbound?limit=${PAGE}&offset=${offset}`, { headers });
    const { data } = (await answer.body.json()) as { data: readonly { id: string }[] };
    ids.push(...data.map(({ id }) => id));
  }
  return ids;
}

/** Once to warm up, once to measure. */
async function run({ load, sizes }: Bench, server: Server, paths: readonly string[]): Promise<LatencySummary> {
  const durationMs = sizes.readSeconds * 1000;
  const job = {
    origin: server.url,
    key: API_KEY,
    connections: CONNECTIONS,
    ratePerSecond: null,
    request: { kind: 'read', paths },
  } as const;
  await load.run({ ...job, durationMs: durationMs / 4 });
  return (await load.run({ ...job, durationMs })).latency;
}

function figure({ database, sizes }: Bench, what: string, few: LatencySummary, many: LatencySummary): Figure {
  return makeFigure({
    name: `${what}, p99 with ${sizes.manyMessages} messages ÷ with ${sizes.fewMessages}`,
    database,
    value: few.p99Ms === 0 ? 0 : many.p99Ms / few.p99Ms,
    unit: '',
    limit: atMost(WANTED_RATIO),
    yardstick: { name: 'itself a ratio', value: 1 },
    detail: { few, many, connections: CONNECTIONS, rows: 'put straight into the tables by SQL' },
  });
}
