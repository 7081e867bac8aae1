import type { LoadJob, LoadResult } from '../load/job.ts';
import type { Bench } from '../scenario.ts';

const WARM_UP_MS = 2_000;

/** What two jobs came to, round by round. */
export interface Pair {
  readonly one: LoadResult;
  readonly other: LoadResult;
}

/** Runs two jobs in turns, so that a machine that slows down slows both. @returns each round */
export async function alternate(
  bench: Bench,
  jobs: { readonly one: (ms: number) => LoadJob; readonly other: (ms: number) => LoadJob },
): Promise<readonly Pair[]> {
  const durationMs = bench.sizes.acceptSeconds * 1000;
  const warmUpMs = Math.min(WARM_UP_MS, durationMs);
  await bench.load.run(jobs.one(warmUpMs));
  await bench.load.run(jobs.other(warmUpMs));
  const rounds: Pair[] = [];
  for (let round = 0; round < bench.sizes.acceptRounds; round += 1) {
    const one = await bench.load.run(jobs.one(durationMs));
    const other = await bench.load.run(jobs.other(durationMs));
    bench.say(`  round ${round + 1}: ${Math.round(one.perSecond)}/s against ${Math.round(other.perSecond)}/s`);
    rounds.push({ one, other });
  }
  return rounds;
}

/** The mean rate of the first ÷ that of the second, and what belongs to it. */
export function compare(rounds: readonly Pair[]) {
  const rate = (of: keyof Pair) => rounds.reduce((sum, round) => sum + round[of].perSecond, 0) / rounds.length;
  const outcomes = rounds.map(({ one, other }) => ({ one: one.outcomes, other: other.outcomes }));
  return { ratio: rate('one') / rate('other'), detail: { one: rate('one'), other: rate('other'), outcomes } };
}

/** Whether every answer of both was this one. */
export function allAnswered(rounds: readonly Pair[], status: number): boolean {
  return rounds.every(({ one, other }) =>
    [one, other].every(({ outcomes }) => Object.keys(outcomes).join() === String(status)),
  );
}
