import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../harness/stage.ts';
import { databasesOf, wholeOf } from '../options.ts';

/** What `npm run chaos` takes. */
export interface ChaosOptions {
  readonly databases: readonly DatabaseKind[];
  readonly roundsOn: (database: DatabaseKind) => number;
  readonly seed: number;
  readonly auditEvery: number;
  /** Leaves ledger and logs behind. */
  readonly keep: boolean;
}

/** Every fault once on PostgreSQL, and on the embedded database. */
const QUICK_ROUNDS = { postgres: 7, pglite: 3 } as const;
const DEFAULT_ROUNDS = 20;
const AUDIT_EVERY = 10;

/** @throws OptionError or the parser's own error, both with a sentence */
export function readChaosOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string', default: 'both' },
      rounds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      'audit-every': { type: 'string', default: String(AUDIT_EVERY) },
    },
  });
  const rounds = values.rounds === undefined ? null : wholeOf('rounds', values.rounds, 1);
  return {
    databases: databasesOf(values.database),
    seed: wholeOf('seed', values.seed, 0),
    auditEvery: wholeOf('audit-every', values['audit-every'], 1),
    keep: values.keep,
    roundsOn: (database) => rounds ?? (values.quick ? QUICK_ROUNDS[database] : DEFAULT_ROUNDS),
  };
}
