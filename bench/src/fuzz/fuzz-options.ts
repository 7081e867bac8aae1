import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../harness/stage.ts';
import { databasesOf, OptionError, wholeOf } from '../options.ts';

/** What the fuzz runner takes. */
export interface FuzzOptions {
  readonly databases: readonly DatabaseKind[];
  readonly seed: number;
  /** Requests per operation and round. */
  readonly cases: number;
  /** How long it runs per database, in minutes; 0: one round. */
  readonly lastsMs: number;
  /** Ends the connections of PostgreSQL while it runs. */
  readonly killBackends: boolean;
}

const DEFAULT_CASES = 100;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** @throws OptionError or the parser's own error, both with a sentence */
export function readFuzzOptions(args: readonly string[], freshSeed: () => number): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string', default: 'both' },
      seed: { type: 'string' },
      cases: { type: 'string', default: String(DEFAULT_CASES) },
      minutes: { type: 'string' },
      seconds: { type: 'string' },
      'kill-backends': { type: 'boolean', default: false },
    },
  });
  const killBackends = values['kill-backends'];
  return {
    // The embedded database has no connections that could be ended.
    databases: killBackends ? ['postgres'] : databasesOf(values.database),
    seed: values.seed === undefined ? freshSeed() : wholeOf('seed', values.seed, 0),
    cases: wholeOf('cases', values.cases, 1),
    lastsMs: lastsMsOf(values),
    killBackends,
  };
}

function lastsMsOf({ minutes, seconds }: { readonly minutes?: string; readonly seconds?: string }): number {
  if (minutes !== undefined && seconds !== undefined)
    throw new OptionError('--minutes and --seconds exclude each other.');
  if (minutes !== undefined) return wholeOf('minutes', minutes, 1) * MINUTE_MS;
  return seconds === undefined ? 0 : wholeOf('seconds', seconds, 1) * SECOND_MS;
}
