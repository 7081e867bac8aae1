import { PEERS, type PeerName } from '../baseline/peer-queues.ts';
import { startPlainServer } from '../baseline/plain-server.ts';
import { type Figure, makeFigure, noLimit } from '../figure.ts';
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
  absent: [
    {
      name: 'BullMQ',
      why: 'it needs Redis: redis-server is not installed, and no adapter is kept that cannot be tried here',
    },
  ],
  run: async (bench) => {
    const settings = { ...UNLIMITED, MESSAGING_ROLES: 'api' };
    const ours = await onStage(bench, { name: 'peers-ours', settings }, ({ server }) => drive(bench, server.url));
    const figures: Figure[] = [];
    for (const peer of PEERS) figures.push(await measure(bench, peer, ours.perSecond));
    return figures;
  },
};

async function measure(bench: Bench, peer: PeerName, oursPerSecond: number): Promise<Figure> {
  const { postgres } = bench;
  if (postgres === null) throw new Error('The peers need a PostgreSQL server.');
  const name = `postrider_bench_${peer.replaceAll('-', '_')}`;
  const databaseUrl = await postgres.createDatabase(name);
  const server = await startPlainServer(bench, 'peer-main.js', [peer, databaseUrl]);
  try {
    const { perSecond, latency, outcomes } = await drive(bench, server.url);
    return makeFigure({
      name: `${peer} accepting the same request`,
      database: 'postgres',
      value: perSecond,
      unit: 'requests/s',
      limit: noLimit,
      yardstick: { name: 'our durable accept', value: oursPerSecond },
      detail: {
        latency,
        outcomes,
        connections: CONNECTIONS,
        durable: 'fsync and synchronous_commit on, one insert per request',
      },
    });
  } finally {
    await server.stop();
    await postgres.dropDatabase(name);
  }
}

async function drive({ load, sizes, seed }: Bench, origin: string): Promise<LoadResult> {
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed } as const;
  const job = { origin, key: API_KEY, connections: CONNECTIONS, ratePerSecond: null, request } as const;
  await load.run({ ...job, durationMs: (sizes.peerSeconds * 1000) / 4 });
  return load.run({ ...job, durationMs: sizes.peerSeconds * 1000 });
}
