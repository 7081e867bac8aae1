import { type Figure, type Limit, makeFigure, noLimit } from '../../figure.ts';
import type { Program } from '../../harness/process.ts';
import type { LoadJob, LoadResult } from '../../load/job.ts';
import { median } from '../../median.ts';
import type { Bench } from '../../scenario.ts';

/**
 * A server that starts takes five times the CPU time per request (measured), until its functions are compiled: that is a
 * matter of how many requests it has had, and on a busy machine no time is long enough.
 */
const WARM_UP_SLICE_MS = 1_000;
const MOST_WARM_UPS = { quick: 1, full: 15 } as const;
/** Short, so that other work of the machine meets both sides; long beside one request. */
const SLICE_MS = 2_000;
const MIN_SLICE_MS = 300;
/** Fewer say nothing: one of them may have met another load than its pair. */
const MIN_PAIRS = 4;
const MICROS_PER_MS = 1_000;

/** One of two things that are compared. */
export interface Side {
  readonly job: (durationMs: number) => LoadJob;
  /** The process that does the work. */
  readonly program: Pick<Program, 'cpuMs'>;
  /** After so many it is as fast as it will be. */
  readonly warmUpRequests: number;
}

interface Slice {
  readonly load: LoadResult;
  readonly cpuMs: number;
}

/** What both sides came to, one right after the other. */
export interface Pair {
  readonly one: Slice;
  readonly other: Slice;
}

interface Sides {
  readonly one: Side;
  readonly other: Side;
}

/**
 * Runs two jobs in short turns, so that a machine that slows down slows both; the first of a turn alternates, so that
 * growth over time (tables, caches) favors neither. A full run lasts as long as its rounds together.
 */
export async function alternate(bench: Bench, sides: Sides): Promise<readonly Pair[]> {
  const { acceptSeconds, acceptRounds } = bench.sizes;
  const totalMs = acceptSeconds * acceptRounds * 1000;
  const pairs = Math.max(MIN_PAIRS, Math.round(totalMs / SLICE_MS));
  const sliceMs = Math.max(totalMs / pairs, MIN_SLICE_MS);
  for (const side of [sides.one, sides.other]) await warmUp(bench, side);
  const done: Pair[] = [];
  for (let turn = 0; turn < pairs; turn += 1) {
    const first = await slice(bench, turn % 2 === 0 ? sides.one : sides.other, sliceMs);
    const second = await slice(bench, turn % 2 === 0 ? sides.other : sides.one, sliceMs);
    done.push(turn % 2 === 0 ? { one: first, other: second } : { one: second, other: first });
  }
  return done;
}

async function warmUp(bench: Bench, side: Side): Promise<void> {
  const most = bench.sizes.acceptSeconds < 1 ? MOST_WARM_UPS.quick : MOST_WARM_UPS.full;
  let answered = 0;
  for (let turn = 0; turn < most && answered < side.warmUpRequests; turn += 1)
    answered += (await slice(bench, side, WARM_UP_SLICE_MS)).load.succeeded;
}

async function slice(bench: Bench, { job, program }: Side, durationMs: number): Promise<Slice> {
  const cpuMs = (): number => program.cpuMs() + (bench.postgres?.cpuMs() ?? 0);
  const beforeMs = cpuMs();
  const load = await bench.load.run(job(durationMs));
  return { load, cpuMs: cpuMs() - beforeMs };
}

interface Comparison {
  readonly name: string;
  readonly limit: Limit;
  /** The answer that every request must have had. */
  readonly status: number;
  readonly detail: Figure['detail'];
}

/**
 * The rate of the first side ÷ that of the second: the median over the pairs, so that a pair which met another load on
 * the machine counts no more than any. Beside it, without a limit, the same in CPU time of the service (with a separate
 * PostgreSQL): what a machine that does other things too can still show.
 */
export function compared(bench: Bench, pairs: readonly Pair[], comparison: Comparison): readonly Figure[] {
  const { name, limit, status } = comparison;
  const outcomes = pairs.map(({ one, other }) => ({ one: one.load.outcomes, other: other.load.outcomes }));
  const ratios = pairs.map(({ one, other }) => one.load.perSecond / other.load.perSecond);
  const [one, other] = [costOf(pairs.map((pair) => pair.one)), costOf(pairs.map((pair) => pair.other))];
  bench.say(
    `  ${pairs.length} pairs: ${one.perSecond.toFixed(1)}/s against ${other.perSecond.toFixed(1)}/s, CPU ${one.cpuMicros.toFixed(0)} against ${other.cpuMicros.toFixed(0)} µs each`,
  );
  const yardstick = { name: 'itself a ratio', value: 1 };
  const common = { database: bench.database, unit: '', yardstick };
  const detail = { ...comparison.detail, one, other, ratios, outcomes };
  return [
    makeFigure({ ...common, name, value: median(ratios), limit, detail }, allAnswered(pairs, status)),
    makeFigure({
      ...common,
      name: `${name}, in CPU time`,
      value: one.cpuMicros === 0 ? 0 : other.cpuMicros / one.cpuMicros,
      limit: noLimit,
      detail: { one, other },
    }),
  ];
}

function costOf(slices: readonly Slice[]): { readonly perSecond: number; readonly cpuMicros: number } {
  const sum = (of: (slice: Slice) => number) => slices.reduce((total, slice) => total + of(slice), 0);
  const requests = sum(({ load }) => load.succeeded);
  const seconds = sum(({ load }) => load.durationMs) / 1000;
  return {
    perSecond: requests / seconds,
    cpuMicros: requests === 0 ? 0 : (sum(({ cpuMs }) => cpuMs) * MICROS_PER_MS) / requests,
  };
}

/** Whether every answer of both was this one. */
function allAnswered(pairs: readonly Pair[], status: number): boolean {
  return pairs.every(({ one, other }) =>
    [one, other].every(({ load }) => Object.keys(load.outcomes).join() === String(status)),
  );
}
