import { parseArgs } from 'node:util';
import type { DatabaseKind } from './harness/stage.ts';

/** An option that cannot be used; the message is meant for the person who gave it. */
export class OptionError extends Error {
  override name = 'OptionError';
}

/** `postgres`, `pglite` or `both`, as the databases it means. */
export function databasesOf(text: string): readonly DatabaseKind[] {
  if (text === 'both') return ['postgres', 'pglite'];
  if (text === 'postgres' || text === 'pglite') return [text];
  throw new OptionError(`--database ${text}: must be postgres, pglite or both.`);
}

/** A whole number of at least `min`. */
export function wholeOf(name: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min)
    throw new OptionError(`--${name} ${text}: must be a whole number of at least ${min}.`);
  return value;
}

/** What `npm run bench` takes. */
export interface BenchOptions {
  readonly databases: readonly DatabaseKind[];
  readonly only: readonly string[] | null;
  readonly quick: boolean;
  readonly seed: number;
  readonly rate: number | null;
  readonly seconds: number | null;
  /** Messages of `inbox-reads`, `console` and `search`. */
  readonly rows: number | null;
  /** No scenario begins later than after so many seconds; null: all of them. */
  readonly atMostSeconds: number | null;
  /** Whether figures take the place of those that were saved before. */
  readonly save: boolean;
}

/** @throws OptionError or the parser's own error, both with a sentence */
export function readBenchOptions(args: readonly string[], scenarioNames: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string', default: 'both' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      rate: { type: 'string' },
      seconds: { type: 'string' },
      rows: { type: 'string' },
      'at-most': { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',').map((name) => name.trim()) ?? null;
  const unknown = only?.find((name) => !scenarioNames.includes(name));
  if (unknown !== undefined) throw new OptionError(`--only ${unknown}: the scenarios are ${scenarioNames.join(', ')}.`);
  const shorter = (['quick', 'rate', 'seconds', 'rows'] as const).find(
    (name) => values[name] !== undefined && values[name] !== false,
  );
  if (values.save && shorter !== undefined)
    throw new OptionError(`--save --${shorter}: only figures of full size can be saved.`);
  return {
    databases: databasesOf(values.database),
    only,
    quick: values.quick,
    seed: wholeOf('seed', values.seed, 0),
    rate: values.rate === undefined ? null : wholeOf('rate', values.rate, 1),
    seconds: values.seconds === undefined ? null : wholeOf('seconds', values.seconds, 1),
    rows: values.rows === undefined ? null : wholeOf('rows', values.rows, 1_000),
    atMostSeconds: values['at-most'] === undefined ? null : wholeOf('at-most', values['at-most'], 1),
    save: values.save,
  };
}
