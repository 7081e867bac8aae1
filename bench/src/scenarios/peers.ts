import { PEERS, type PeerName } from '../baseline/peer-queues.ts';
import { startPlainServer } from '../baseline/plain-server.ts';
import { type Figure, makeFigure, noLimit } from '../figure.ts';
import { findRedis, startRedis } from '../harness/redis.ts';
import { API_KEY } from '../harness/server.ts';
import { UNLIMITED } from '../harness/stage.ts';
import type { LoadResult } from '../load/job.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const CONNECTIONS = 64;
const RECIPIENTS = 100_000;

/**
 * Other queues accepting the same request, one job per request, each committed before the answer: what a service built
 * on them would accept. Beside our own accept, measured in the same minute.
 */
export const peers: Scenario = {
  name: 'peers',
  databases: ['postgres'],
  absent: () => (findRedis() === null ? [{ name: 'BullMQ', why: 'redis-server is not installed' }] : []),
  run: async (bench) => {
    const settings = { ...UNLIMITED, MESSAGING_ROLES: 'api' };
    const ours = await onStage(bench, { name: 'peers-ours', settings }, ({ server }) => drive(bench, server.url));
    const figures: Figure[] = [];
    for (const peer of PEERS) {
      const store = await openStore(bench, peer);
      if (store !== null) figures.push(await measure(bench, { peer, store, oursPerSecond: ours.perSecond }));
    }
    return figures;
  },
};

/** Where a peer keeps its jobs. */
interface Store {
  readonly url: string;
  readonly durable: string;
  close(): Promise<void>;
}

/** Empty, and as durable as ours. @returns null when it is not installed */
async function openStore(bench: Bench, peer: PeerName): Promise<Store | null> {
  if (peer === 'bullmq') {
    if (findRedis() === null) return null;
    const { url, version, stop } = await startRedis(bench.workspace);
    return { url, durable: `Redis ${version}, appendfsync always`, close: stop };
  }
  const { postgres } = bench;
  if (postgres === null) throw new Error('The peers need a PostgreSQL server.');
  const name = `postrider_bench_${peer.replaceAll('-', '_')}`;
  const url = await postgres.createDatabase(name);
  const durable = 'fsync and synchronous_commit on, one insert per request';
  return { url, durable, close: () => postgres.dropDatabase(name) };
}

interface Peer {
  readonly peer: PeerName;
  readonly store: Store;
  readonly oursPerSecond: number;
}

async function measure(bench: Bench, { peer, store, oursPerSecond }: Peer): Promise<Figure> {
  const server = await startPlainServer(bench, 'peer-main.js', [peer, store.url]);
  try {
    const { perSecond, latency, outcomes } = await drive(bench, server.url);
    return makeFigure({
      name: `${peer} accepting the same request`,
      database: peer === 'bullmq' ? 'none' : 'postgres',
      value: perSecond,
      unit: 'requests/s',
      limit: noLimit,
      yardstick: { name: 'our durable accept', value: oursPerSecond },
      detail: { latency, outcomes, connections: CONNECTIONS, durable: store.durable },
    });
  } finally {
    await server.stop();
    await store.close();
  }
}

async function drive({ load, sizes, seed }: Bench, origin: string): Promise<LoadResult> {
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed } as const;
  const job = { origin, key: API_KEY, connections: CONNECTIONS, ratePerSecond: null, request } as const;
  await load.run({ ...job, durationMs: (sizes.peerSeconds * 1000) / 4 });
  return load.run({ ...job, durationMs: sizes.peerSeconds * 1000 });
}
