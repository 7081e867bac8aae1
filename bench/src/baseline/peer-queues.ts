import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';
import PgBoss from 'pg-boss';

/** Queues of other projects that store jobs in PostgreSQL. */
export const PEERS = ['pg-boss', 'graphile-worker'] as const;
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

export async function openPeer(name: PeerName, databaseUrl: string): Promise<PeerQueue> {
  switch (name) {
    case 'pg-boss':
      return openPgBoss(databaseUrl);
    case 'graphile-worker':
      return openGraphileWorker(databaseUrl);
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
