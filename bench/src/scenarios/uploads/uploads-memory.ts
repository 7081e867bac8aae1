import { atMost, type Figure, makeFigure, noLimit } from '../../figure.ts';
import { API_KEY, type Server } from '../../harness/server.ts';
import { UNLIMITED } from '../../harness/stage.ts';
import type { LoadJob } from '../../load/job.ts';
import { type Bench, onStage, type Scenario } from '../../scenario.ts';

const AT_ONCE = 100;
const WANTED_MB = 400;
/** Small uploads may fit into what the server had before; zero would mean that nothing was measured. */
const LEAST_MB = 0.1;
/** Each connection begins immediately; the first to end begin another one, so that 100 are under way for as long. */
const BEGIN_WITHIN_MS = 3_000;
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
const MEBIBYTE = 1024 * 1024;

/** The most memory that the server ever has while 100 files of the largest size arrive concurrently. */
export const uploadsMemory: Scenario = {
  name: 'uploads-memory',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'uploads-memory', settings: SETTINGS }, async ({ server }) => measure(bench, server)),
};

async function measure(bench: Bench, server: Server): Promise<readonly Figure[]> {
  const { database, sizes, load } = bench;
  server.forgetPeak();
  const idleMb = server.residentMb();
  const bytes = sizes.uploadBytes;
  const durationMs = Math.min(BEGIN_WITHIN_MS, sizes.acceptSeconds * 1000);
  const job: LoadJob = {
    origin: server.url,
    key: API_KEY,
    connections: AT_ONCE,
    durationMs,
    ratePerSecond: null,
    request: { kind: 'upload', path: '/v1/media', bytes },
  };
  const { outcomes, succeeded } = await load.run(job);
  const peakMb = server.peakMb();
  const growthMb = Math.max(LEAST_MB, peakMb - idleMb);
  const whole = Object.keys(outcomes).join() === '200' && succeeded >= AT_ONCE;
  const yardstick = { name: 'the same server idle', value: idleMb };
  const what = `${AT_ONCE} uploads of ${bytes / MEBIBYTE} MiB at once`;
  const detail = { idleMb, growthMb, outcomes };
  const common = { database, unit: 'MB', yardstick, detail };
  // The embedded database lives in the same process; its memory is not part of an upload.
  const peak = database === 'postgres' ? atMost(WANTED_MB) : noLimit;
  return [
    makeFigure({ ...common, name: `peak memory of the server, ${what}`, value: peakMb, limit: peak }, whole),
    makeFigure(
      { ...common, name: `growth of the server's memory, ${what}`, value: growthMb, limit: atMost(WANTED_MB) },
      whole,
    ),
  ];
}
