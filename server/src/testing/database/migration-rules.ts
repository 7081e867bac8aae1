import { type Migration, planOf } from '#database/migration-file';

interface Rule {
  readonly broken: RegExp;
  /** Where the statement also says this it is fine. */
  readonly unless?: RegExp;
  readonly only?: 'stepwise' | 'transaction';
  readonly advice: string;
}

/** Statements that would hold up the traffic of a busy table, or could not be repeated after a kill. */
const RULES: readonly Rule[] = [
  {
    broken: /^create (unique )?index (?!concurrently)/,
    advice:
      'writers wait while it is built: "create index concurrently if not exists", in a migration marked --! stepwise.',
  },
  {
    broken: /^(create (unique )?|drop )index concurrently/,
    only: 'transaction',
    advice: 'it cannot run in a transaction: mark the migration --! stepwise.',
  },
  {
    broken: /^alter table .*add column .*\bdefault \(?\s*[a-z_]+\s*\(/,
    advice:
      'a default that is computed for each row rewrites the table: add the column, then fill it in portions (--! repeat).',
  },
  {
    broken: /^alter table .*\bset not null/,
    advice:
      'it reads the whole table under its lock: add a check (… is not null) not valid, validate it, then set not null.',
  },
  {
    broken: /^alter table .*\badd (constraint|check|foreign key|unique|primary key)/,
    unless: /\bnot valid\b|\busing index\b/,
    advice:
      'it reads the whole table under its lock: add it "not valid" and validate it, or build its index first and say "using index".',
  },
  {
    broken: /^(create (table|(unique )?index concurrently)|alter table .*\badd column) (?!if not exists)/,
    only: 'stepwise',
    advice: 'after a kill it is run again: say "if not exists".',
  },
  {
    broken: /^(drop|alter table \S+ drop constraint) (?!.*\bif exists)/,
    only: 'stepwise',
    advice: 'after a kill it is run again: say "if exists".',
  },
  {
    broken: /^insert\b(?!.*\bon conflict\b)/,
    only: 'stepwise',
    advice: 'after a kill it is run again: say "on conflict".',
  },
];

/** What an older program that still runs would stumble over. */
const BREAKS = /^drop table|^alter table .*(\bdrop column|\brename\b|\balter column \S+ (set data )?type)/;

/** @returns a sentence per fault of a migration; none when it disturbs no traffic */
export function faultsOf(migration: Pick<Migration, 'name' | 'text'>): readonly string[] {
  const plan = planOf(migration);
  const kind = plan.isStepwise ? 'stepwise' : 'transaction';
  const texts = statementsIn(migration.text);
  const made = new Set(texts.flatMap((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []));
  const faults: string[] = [];
  for (const [index, text] of texts.entries()) {
    const table = /^(?:alter table|create (?:unique )?index .*? on) (?:only )?(\w+)/.exec(text)?.[1];
    const isNew = table !== undefined && made.has(table);
    const isProven =
      text.includes('set not null') && texts.slice(0, index).some((t) => t.includes('validate constraint'));
    for (const { broken, unless, only = kind, advice } of RULES) {
      const passes = !broken.test(text) || unless?.test(text) || only !== kind || isNew || isProven;
      if (!passes) faults.push(`${migration.name}: "${text.slice(0, 80)}": ${advice}`);
    }
    if (BREAKS.test(text) && !plan.isBreaking)
      faults.push(
        `${migration.name}: "${text.slice(0, 80)}": programs that still run need it: mark the migration --! breaking.`,
      );
  }
  return faults;
}

/** Cut at every semicolon: what that makes of a string or a body, no rule knows. */
function statementsIn(text: string): readonly string[] {
  const plain = text.replace(/--.*$/gm, '').toLowerCase();
  return plain.split(';').map((statement) => statement.replace(/\s+/g, ' ').trim());
}
