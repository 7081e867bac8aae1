import { type PlainServer, startPlainServer } from '../../baseline/plain-server.ts';
import { atLeast, type Figure } from '../../figure.ts';
import { API_KEY, type Server } from '../../harness/server.ts';
import { UNLIMITED } from '../../harness/stage.ts';
import type { LoadJob } from '../../load/job.ts';
import { type Bench, onStage, type Scenario } from '../../scenario.ts';
import { alternate, compared } from '../support/alternate.ts';

/** Few: what is measured is the way of a file, not how many a machine can bear concurrently. */
const CONNECTIONS = 4;
const WARM_UP_REQUESTS = 40;
const WANTED_RATIO = 0.5;
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
const MEBIBYTE = 1024 * 1024;
/** Also in a quick run: of a small file the row costs more than the bytes. */
const FILE_BYTES = 16 * MEBIBYTE;

/** Uploads of the largest file, hashed, sniffed and stored under a row, against the same bytes streamed to a bare file. */
export const uploads: Scenario = {
  name: 'uploads',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'uploads', settings: SETTINGS }, async ({ server }) => {
      const bare = await startPlainServer(bench, 'upload-main.js', [bench.workspace.folder]);
      try {
        return await measure(bench, server, bare);
      } finally {
        await bare.stop();
      }
    }),
};

async function measure(bench: Bench, server: Server, bare: PlainServer): Promise<readonly Figure[]> {
  const job =
    (origin: string) =>
    (durationMs: number): LoadJob => {
      const request = { kind: 'upload', path: '/v1/media', bytes: FILE_BYTES } as const;
      return { origin, key: API_KEY, connections: CONNECTIONS, durationMs, ratePerSecond: null, request };
    };
  const pairs = await alternate(bench, {
    one: { job: job(server.url), program: server, warmUpRequests: WARM_UP_REQUESTS },
    other: { job: job(bare.url), program: bare, warmUpRequests: WARM_UP_REQUESTS },
  });
  return compared(bench, pairs, {
    name: `upload of ${FILE_BYTES / MEBIBYTE} MiB ÷ a bare Fastify stream to disk`,
    limit: atLeast(WANTED_RATIO),
    status: 200,
    detail: { connections: CONNECTIONS },
  });
}
