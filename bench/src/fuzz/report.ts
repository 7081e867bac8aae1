import type { DatabaseKind } from '../harness/stage.ts';
import type { Failure } from './failure.ts';
import type { FuzzReport } from './run-fuzz.ts';
import type { StoreAndReadReport } from './store-and-read.ts';

/** What a run found, in lines for a terminal. */
export function linesOf(database: DatabaseKind, report: FuzzReport): readonly string[] {
  const { rounds, requests, accepted, away } = report;
  const counted = `${database}: ${requests} requests in ${rounds} rounds, ${accepted} messages accepted, ${away} answers while the database was away`;
  return [`${counted}, ${report.failures.length} failures`, ...failureLines(report)];
}

/** What was stored and read, and what that found. */
export function storeAndReadLines(database: DatabaseKind, report: StoreAndReadReport): readonly string[] {
  const { requests, failures, stored, read } = report;
  const counted = `${database}: ${requests} requests, ${sum(stored.bodies)} bodies and ${sum(stored.conditions)} conditions taken, ${sum(read.answers)} answers read`;
  return [`${counted}, ${failures.length} failures`, ...failureLines(report)];
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function failureLines({ failures }: { readonly failures: readonly Failure[] }): readonly string[] {
  return failures.flatMap(({ operation, check, sentence, curl, seed }) => [
    '',
    `${operation} ${check}: ${sentence} (seed ${seed})`,
    `  ${curl}`,
  ]);
}

/** Which statuses each operation answered with: what was not reached was not tested. */
export function statusLines({ seen }: FuzzReport): readonly string[] {
  return [...seen].map(([id, statuses]) => `  ${id}: ${[...statuses].toSorted((a, b) => a - b).join(' ')}`);
}

/** Operations that never succeeded: their successful answers were not tested. */
export function neverSucceeded({ seen }: FuzzReport): readonly string[] {
  return [...seen].filter(([, statuses]) => ![...statuses].some((status) => status < 300)).map(([id]) => id);
}
