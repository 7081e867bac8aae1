import { atLeast, atMost, type Figure, makeFigure } from '../figure.ts';
import { API_KEY } from '../harness/server.ts';
import { UNLIMITED } from '../harness/stage.ts';
import type { LoadJob, LoadResult } from '../load/job.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const CONNECTIONS = 64;
const WANTED_RATIO = { postgres: 0.4, pglite: 0.3 } as const;
const WANTED_P99_MS = 25;
const RECIPIENTS = 100_000;
const WARM_UP_MS = 2_000;

/**
 * Durable accepts against the same route without storage: rounds alternate between the two, so that a machine that
 * slows down slows both. Only the API runs: sending is another scenario's matter.
 */
export const accept: Scenario = {
  name: 'accept',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'accept', settings: { ...UNLIMITED, MESSAGING_ROLES: 'api' } }, async ({ server }) => {
      const warmUpMs = Math.min(WARM_UP_MS, bench.sizes.acceptSeconds * 1000);
      await bench.load.run(job(bench, bench.plain.url, warmUpMs));
      await bench.load.run(job(bench, server.url, warmUpMs));
      const rounds = await alternate(bench, server.url);
      return figures(bench, rounds);
    }),
};

interface Round {
  readonly plain: LoadResult;
  readonly durable: LoadResult;
}

async function alternate(bench: Bench, serverUrl: string): Promise<readonly Round[]> {
  const durationMs = bench.sizes.acceptSeconds * 1000;
  const rounds: Round[] = [];
  for (let round = 0; round < bench.sizes.acceptRounds; round += 1) {
    const plain = await bench.load.run(job(bench, bench.plain.url, durationMs));
    const durable = await bench.load.run(job(bench, serverUrl, durationMs));
    bench.say(
      `  round ${round + 1}: plain ${Math.round(plain.perSecond)}/s, durable ${Math.round(durable.perSecond)}/s, p99 ${durable.latency.p99Ms.toFixed(1)} ms`,
    );
    rounds.push({ plain, durable });
  }
  return rounds;
}

function job(bench: Bench, origin: string, durationMs: number): LoadJob {
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed } as const;
  return { origin, key: API_KEY, connections: CONNECTIONS, durationMs, ratePerSecond: null, request };
}

function figures({ database }: Bench, rounds: readonly Round[]): readonly Figure[] {
  const plain = mean(rounds.map((round) => round.plain.perSecond));
  const durable = mean(rounds.map((round) => round.durable.perSecond));
  const p99Ms = Math.max(...rounds.map((round) => round.durable.latency.p99Ms));
  const plainP99Ms = Math.max(...rounds.map((round) => round.plain.latency.p99Ms));
  const outcomes = rounds.map((round) => round.durable.outcomes);
  const detail = {
    connections: CONNECTIONS,
    roles: 'api',
    plainPerSecond: plain,
    durablePerSecond: durable,
    rounds: rounds.length,
    outcomes,
  };
  const allAccepted = outcomes.every((round) => Object.keys(round).join() === '202');
  return [
    makeFigure(
      {
        name: 'durable accept ÷ route without storage',
        database,
        value: durable / plain,
        unit: '',
        limit: atLeast(WANTED_RATIO[database]),
        yardstick: { name: 'itself a ratio', value: 1 },
        detail,
      },
      allAccepted,
    ),
    makeFigure({
      name: 'durable accept, p99 (worst round)',
      database,
      value: p99Ms,
      unit: 'ms',
      limit: atMost(WANTED_P99_MS),
      yardstick: { name: 'p99 of the route without storage', value: plainP99Ms },
      detail: { durable: rounds.map((round) => round.durable.latency) },
    }),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
