import { atLeast, atMost, type Figure, makeFigure, noLimit } from '../figure.ts';
import { type Patch, patchServer } from '../harness/patched-server.ts';
import { API_KEY } from '../harness/server.ts';
import { openStage, type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LoadJob, LoadResult } from '../load/job.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const CONNECTIONS = 64;
const WANTED_RATIO = { postgres: 0.4, pglite: 0.3 } as const;
const WANTED_P99_MS = 25;
const RECIPIENTS = 100_000;
const WARM_UP_MS = 2_000;

/** The whole route (key, validation, idempotency, ids, headers) with the commit left out. */
export const WITHOUT_STORAGE: readonly Patch[] = [
  {
    file: 'dist/messages/actions/accept-message.js',
    find: 'const stored = await throughGate(gate, store(',
    replace: "const stored = await throughGate(gate, ((_message) => Promise.resolve('stored'))(",
  },
];

const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;

/**
 * Durable accepts against the same route without storage, and against a bare Fastify route: rounds alternate between
 * the three, so that a machine that slows down slows all. Only the API runs: sending is another scenario's matter.
 */
export const accept: Scenario = {
  name: 'accept',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'accept', settings: SETTINGS }, async ({ server }) => {
      const storeless = await openStoreless(bench);
      try {
        const targets = { bare: bench.plain.url, storeless: storeless.server.url, durable: server.url };
        return figures(bench, await alternate(bench, targets));
      } finally {
        await storeless.close();
      }
    }),
};

function openStoreless(bench: Bench): Promise<Stage> {
  const { workspace, database, postgres } = bench;
  const programs = patchServer(bench.programs, `${workspace.folder}/${database}-storeless`, WITHOUT_STORAGE);
  const spec = {
    programs,
    workspace,
    database,
    postgres,
    name: 'accept-storeless',
    settings: SETTINGS,
    networkRate: 0,
  };
  return openStage(spec);
}

interface Targets<T> {
  readonly bare: T;
  readonly storeless: T;
  readonly durable: T;
}

async function alternate(bench: Bench, targets: Targets<string>): Promise<readonly Targets<LoadResult>[]> {
  const durationMs = bench.sizes.acceptSeconds * 1000;
  const load = (origin: string, ms: number) => bench.load.run(job(bench, origin, ms));
  const warmUpMs = Math.min(WARM_UP_MS, durationMs);
  for (const origin of Object.values(targets)) await load(origin, warmUpMs);
  const rounds: Targets<LoadResult>[] = [];
  for (let round = 0; round < bench.sizes.acceptRounds; round += 1) {
    const bare = await load(targets.bare, durationMs);
    const storeless = await load(targets.storeless, durationMs);
    const durable = await load(targets.durable, durationMs);
    const rates = [bare, storeless, durable].map(({ perSecond }) => Math.round(perSecond));
    bench.say(
      `  round ${round + 1}: bare ${rates[0]}/s, without storage ${rates[1]}/s, durable ${rates[2]}/s, p99 ${durable.latency.p99Ms.toFixed(1)} ms`,
    );
    rounds.push({ bare, storeless, durable });
  }
  return rounds;
}

function job(bench: Bench, origin: string, durationMs: number): LoadJob {
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed } as const;
  return { origin, key: API_KEY, connections: CONNECTIONS, durationMs, ratePerSecond: null, request };
}

function figures({ database }: Bench, rounds: readonly Targets<LoadResult>[]): readonly Figure[] {
  const rate = (of: keyof Targets<LoadResult>) => mean(rounds.map((round) => round[of].perSecond));
  const p99 = (of: keyof Targets<LoadResult>) => Math.max(...rounds.map((round) => round[of].latency.p99Ms));
  const outcomes = rounds.map((round) => round.durable.outcomes);
  const rates = {
    barePerSecond: rate('bare'),
    storelessPerSecond: rate('storeless'),
    durablePerSecond: rate('durable'),
  };
  const detail = { connections: CONNECTIONS, roles: 'api', ...rates, rounds: rounds.length, outcomes };
  const allAccepted = outcomes.every((round) => Object.keys(round).join() === '202');
  const yardstick = { name: 'itself a ratio', value: 1 };
  const common = { database, unit: '', yardstick, detail };
  return [
    makeFigure(
      {
        ...common,
        name: 'durable accept ÷ the same route without storage',
        value: rate('durable') / rate('storeless'),
        limit: atLeast(WANTED_RATIO[database]),
      },
      allAccepted,
    ),
    makeFigure({
      ...common,
      name: 'durable accept ÷ a bare Fastify route',
      value: rate('durable') / rate('bare'),
      limit: noLimit,
    }),
    makeFigure({
      name: 'durable accept, p99 (worst round)',
      database,
      value: p99('durable'),
      unit: 'ms',
      limit: atMost(WANTED_P99_MS),
      yardstick: { name: 'p99 of the same route without storage', value: p99('storeless') },
      detail: { durable: rounds.map((round) => round.durable.latency) },
    }),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
