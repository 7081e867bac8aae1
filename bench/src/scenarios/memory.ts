import { atMost, makeFigure } from '../figure.ts';
import { UNLIMITED } from '../harness/stage.ts';
import { STATUSES_PER_MESSAGE, watchProgress } from '../progress.ts';
import { onStage, type Scenario } from '../scenario.ts';
import { seedRows } from './support/seed-rows.ts';

const WANTED_MB = 350;
const TIMEOUT_MS = 600_000;
const API_ONLY = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;

/** Resident memory of the server while a long queue drains, statuses included. Only with PostgreSQL: the embedded database lives in the same process. */
export const memory: Scenario = {
  name: 'memory',
  databases: ['postgres'],
  run: (bench) =>
    onStage(bench, { name: 'memory', settings: API_ONLY }, async (stage) => {
      const idleMb = stage.server.residentMb();
      const queued = bench.sizes.drainMessages;
      const seed = (): Promise<void> => seedRows(stage, { count: queued, state: 'queued', nowMs: Date.now() });
      const server = await stage.replaceServer(UNLIMITED, seed);
      const endMs = performance.now() + TIMEOUT_MS;
      const all = queued * STATUSES_PER_MESSAGE;
      const { samples, peakMb } = await watchProgress(
        server,
        (latest) => latest.statuses >= all || performance.now() > endMs,
      );
      const [first, last] = [samples[0], samples.at(-1)];
      const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1000;
      const drained = last?.statuses === all;
      const detail = { queued, drained, seconds, sent: last?.sent, rows: 'put straight into the tables by SQL' };
      const yardstick = { name: 'the same server idle', value: idleMb };
      const name = `server memory while ${queued} messages drain`;
      return [
        makeFigure(
          { name, database: bench.database, value: peakMb, unit: 'MB', limit: atMost(WANTED_MB), yardstick, detail },
          drained,
        ),
      ];
    }),
};
