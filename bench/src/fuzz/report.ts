import type { DatabaseKind } from '../harness/stage.ts';
import type { FuzzReport } from './run-fuzz.ts';

/** What a run found, in lines for a terminal. */
export function linesOf(database: DatabaseKind, report: FuzzReport): readonly string[] {
  const { rounds, requests, accepted, away, failures } = report;
  const counted = `${database}: ${requests} requests in ${rounds} rounds, ${accepted} messages accepted, ${away} answers while the database was away`;
  const found = failures.flatMap(({ operation, check, sentence, curl, seed }) => [
    '',
    `${operation} ${check}: ${sentence} (seed ${seed})`,
    `  ${curl}`,
  ]);
  return [`${counted}, ${failures.length} failures`, ...found];
}

/** Which statuses each operation answered with: what was not reached was not looked at. */
export function statusLines({ seen }: FuzzReport): readonly string[] {
  return [...seen].map(([id, statuses]) => `  ${id}: ${[...statuses].toSorted((a, b) => a - b).join(' ')}`);
}

/** Operations that never succeeded: what they answer then was not looked at. */
export function neverSucceeded({ seen }: FuzzReport): readonly string[] {
  return [...seen].filter(([, statuses]) => ![...statuses].some((status) => status < 300)).map(([id]) => id);
}
