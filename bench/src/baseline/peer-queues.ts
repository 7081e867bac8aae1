import { Queue } from 'bullmq';
import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';
import PgBoss from 'pg-boss';

/** Queues of other projects, and where each stores its jobs. */
export const PEERS = ['pg-boss', 'graphile-worker', 'bullmq'] as const;
export type PeerName = (typeof PEERS)[number];

/** A queue that takes one job per request. */
export interface PeerQueue {
  /** Resolves when the job is committed. */
  add(job: object): Promise<void>;
  close(): Promise<void>;
}

const QUEUE = 'messages';
/** As many connections as our server has by default. */
const POOL = 10;

/** @param storeUrl of PostgreSQL, or of Redis for BullMQ */
export async function openPeer(name: PeerName, storeUrl: string): Promise<PeerQueue> {
  switch (name) {
    case 'pg-boss':
      return openPgBoss(storeUrl);
    case 'graphile-worker':
      return openGraphileWorker(storeUrl);
    case 'bullmq':
      return openBullMq(storeUrl);
  }
}

async function openPgBoss(connectionString: string): Promise<PeerQueue> {
  const boss = new PgBoss({ connectionString, max: POOL, supervise: false, schedule: false });
  boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
  await boss.start();
  await boss.createQueue(QUEUE);
  return { add: async (job) => void (await boss.send(QUEUE, job)), close: () => boss.stop({ graceful: false }) };
}

async function openGraphileWorker(connectionString: string): Promise<PeerQueue> {
  const pool = new pg.Pool({ connectionString, max: POOL });
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  return {
    add: async (job) => void (await utils.addJob(QUEUE, job)),
    close: async () => {
      await utils.release();
      await pool.end();
    },
  };
}

async function openBullMq(url: string): Promise<PeerQueue> {
  const queue = new Queue(QUEUE, { connection: { url } });
  queue.on('error', (error) => process.stderr.write(`${error.message}\n`));
  await queue.waitUntilReady();
  return { add: async (job) => void (await queue.add(QUEUE, job)), close: () => queue.close() };
}
