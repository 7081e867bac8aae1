import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../harness/stage.ts';
import { databasesOf, OptionError, wholeOf } from '../options.ts';
import { FAULT_NAMES, FAULTS, type Fault } from './faults/all.ts';
import { faultsOn } from './plan.ts';

/** What `npm run chaos` takes. */
export interface ChaosOptions {
  readonly databases: readonly DatabaseKind[];
  readonly roundsOn: (database: DatabaseKind) => number;
  readonly seed: number;
  /** A run of everything, whose certificate is kept. */
  readonly isWhole: boolean;
  /** Every fault once; both databases at the same time. */
  readonly isQuick: boolean;
  /** What the rounds choose from. */
  readonly faultsOn: (database: DatabaseKind) => readonly Fault[];
  readonly auditEvery: number;
  /** Leaves ledger and logs behind. */
  readonly keep: boolean;
}

const DEFAULT_ROUNDS = 20;
/** What a quick run does on the embedded database: storms of the network are the same as on PostgreSQL, where it does everything. */
const QUICK_EMBEDDED: readonly Fault[] = [
  'kill_server',
  'kill_server_twice',
  'freeze_server',
  'clock_jump',
  'disk_full',
  'tenant_suspended',
];
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
      faults: { type: 'string' },
      'audit-every': { type: 'string', default: String(AUDIT_EVERY) },
    },
  });
  const rounds = values.rounds === undefined ? null : wholeOf('rounds', values.rounds, 1);
  const named = values.faults === undefined ? null : faultsNamed(values.faults);
  const allowed = (database: DatabaseKind): readonly Fault[] => {
    if (named !== null) return named.filter((name) => FAULTS[name].databases.includes(database));
    return values.quick && database === 'pglite' ? QUICK_EMBEDDED : faultsOn(database);
  };
  return {
    isWhole: named === null && !values.quick,
    isQuick: values.quick,
    faultsOn: allowed,
    databases: databasesOf(values.database),
    seed: wholeOf('seed', values.seed, 0),
    auditEvery: wholeOf('audit-every', values['audit-every'], 1),
    keep: values.keep,
    roundsOn: (database) => rounds ?? (values.quick ? allowed(database).length : DEFAULT_ROUNDS),
  };
}

function faultsNamed(text: string): readonly Fault[] {
  return text.split(',').map((given) => {
    const name = FAULT_NAMES.find((one) => one === given.trim());
    if (name === undefined)
      throw new OptionError(`--faults ${given}: must be one or more of ${FAULT_NAMES.join(', ')}.`);
    return name;
  });
}
