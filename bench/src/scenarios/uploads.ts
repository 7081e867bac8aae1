import { startPlainServer } from '../baseline/plain-server.ts';
import { atLeast, type Figure, makeFigure } from '../figure.ts';
import { API_KEY } from '../harness/server.ts';
import { UNLIMITED } from '../harness/stage.ts';
import type { LoadJob } from '../load/job.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { allAnswered, alternate, compare } from './alternate.ts';

/** Few: what is measured is the way of a file, not how many at once a machine bears. */
const CONNECTIONS = 4;
const WANTED_RATIO = 0.5;
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
const MEBIBYTE = 1024 * 1024;

/** Uploads of the largest file, hashed, sniffed and stored under a row, against the same bytes streamed to a bare file. */
export const uploads: Scenario = {
  name: 'uploads',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'uploads', settings: SETTINGS }, async ({ server }) => {
      const bare = await startPlainServer(bench, 'upload-main.js', [bench.workspace.folder]);
      try {
        return [await measure(bench, server.url, bare.url)];
      } finally {
        await bare.stop();
      }
    }),
};

async function measure(bench: Bench, url: string, bareUrl: string): Promise<Figure> {
  const bytes = bench.sizes.uploadBytes;
  const job =
    (origin: string) =>
    (durationMs: number): LoadJob => {
      const request = { kind: 'upload', path: '/v1/media', bytes } as const;
      return { origin, key: API_KEY, connections: CONNECTIONS, durationMs, ratePerSecond: null, request };
    };
  const rounds = await alternate(bench, { one: job(url), other: job(bareUrl) });
  const { ratio, detail } = compare(rounds);
  return makeFigure(
    {
      name: `upload of ${bytes / MEBIBYTE} MiB ÷ a bare Fastify stream to disk`,
      database: bench.database,
      value: ratio,
      unit: '',
      limit: atLeast(WANTED_RATIO),
      yardstick: { name: 'itself a ratio', value: 1 },
      detail: { connections: CONNECTIONS, ...detail },
    },
    allAnswered(rounds, 200),
  );
}
