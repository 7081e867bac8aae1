import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../harness/stage.ts';
import { databasesOf, wholeOf } from '../options.ts';

/** What the fuzz runner takes. */
export interface FuzzOptions {
  readonly databases: readonly DatabaseKind[];
  readonly seed: number;
  /** Requests per operation and round. */
  readonly cases: number;
  /** How long it goes on per database; null: one round. */
  readonly minutes: number | null;
  /** Ends the connections of PostgreSQL while it runs. */
  readonly killBackends: boolean;
}

const DEFAULT_CASES = 100;

/** @throws OptionError or the parser's own error, both with a sentence */
export function readFuzzOptions(args: readonly string[], freshSeed: () => number): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string', default: 'both' },
      seed: { type: 'string' },
      cases: { type: 'string', default: String(DEFAULT_CASES) },
      minutes: { type: 'string' },
      'kill-backends': { type: 'boolean', default: false },
    },
  });
  const killBackends = values['kill-backends'];
  return {
    // The embedded database has no connections that could be ended.
    databases: killBackends ? ['postgres'] : databasesOf(values.database),
    seed: values.seed === undefined ? freshSeed() : wholeOf('seed', values.seed, 0),
    cases: wholeOf('cases', values.cases, 1),
    minutes: values.minutes === undefined ? null : wholeOf('minutes', values.minutes, 1),
    killBackends,
  };
}
