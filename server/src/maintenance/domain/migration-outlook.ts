/** What a statement of a migration does to the table that it names. */
export type MigrationEffect =
  /** Makes or changes nothing that has rows. */
  | 'new'
  /** A lock for a moment: everything that uses the table waits for it, and it waits at most two seconds at a time. */
  | 'moment'
  /** Builds an index; nobody waits. */
  | 'index'
  /** Reads all rows; nobody waits. */
  | 'scan'
  /** Writes rows; who writes the same rows waits. */
  | 'fill'
  /** Reads or writes all rows while everything that writes to the table waits. */
  | 'blocked';

/** A statement as it concerns a table. */
export interface StatementOutlook {
  /** Null: none that is known. */
  readonly table: string | null;
  readonly effect: MigrationEffect;
}

interface Form {
  readonly pattern: RegExp;
  readonly effect: MigrationEffect;
}

/** The first that fits says it; each names the table in its first group. */
const FORMS: readonly Form[] = [
  { pattern: /^create (?:unlogged )?table (?:if not exists )?(\w+)/, effect: 'new' },
  { pattern: /^create (?:unique )?index concurrently .*? on (?:only )?(\w+)/, effect: 'index' },
  { pattern: /^create (?:unique )?index .*? on (?:only )?(\w+)/, effect: 'blocked' },
  { pattern: /^alter table (?:if exists )?(?:only )?(\w+) validate constraint/, effect: 'scan' },
  { pattern: /^alter table (?:if exists )?(?:only )?(\w+) add .*(?:not valid|using index)/, effect: 'moment' },
  {
    pattern: /^alter table (?:if exists )?(?:only )?(\w+) add (?:constraint|check|foreign|unique|primary|exclude)/,
    effect: 'blocked',
  },
  {
    pattern: /^alter table (?:if exists )?(?:only )?(\w+) add column .*\bdefault \(?\s*[a-z_]+\s*\(/,
    effect: 'blocked',
  },
  { pattern: /^alter table (?:if exists )?(?:only )?(\w+) .*(?:set not null|\btype )/, effect: 'blocked' },
  { pattern: /^alter table (?:if exists )?(?:only )?(\w+)/, effect: 'moment' },
  { pattern: /^(?:with .*)?update (\w+)/, effect: 'fill' },
  { pattern: /^(?:with .*)?delete from (\w+)/, effect: 'fill' },
  { pattern: /^(?:with .*)?insert into .* from (\w+)/, effect: 'fill' },
  { pattern: /^drop table (?:if exists )?(\w+)/, effect: 'moment' },
];

/** What the statements of a migration do, in their order. */
export function outlookOf(statements: readonly string[]): readonly StatementOutlook[] {
  const made = new Set<string>();
  return statements.map((statement) => {
    const text = statement.replace(/--.*$/gm, ' ').replace(/\s+/g, ' ').trim().toLowerCase();
    const found = firstMatch(text);
    if (found.table !== null && found.effect === 'new') made.add(found.table);
    return found.table !== null && made.has(found.table) ? { ...found, effect: 'new' } : found;
  });
}

function firstMatch(text: string): StatementOutlook {
  for (const { pattern, effect } of FORMS) {
    const [, table] = pattern.exec(text) ?? [];
    if (table !== undefined) return { table, effect };
  }
  return { table: null, effect: 'moment' };
}

const MIB = 1024 * 1024;
/** Rough, on purpose low: a disk that is busy with other things. */
const BYTES_PER_SECOND: Readonly<Record<MigrationEffect, number>> = {
  new: Number.POSITIVE_INFINITY,
  moment: Number.POSITIVE_INFINITY,
  index: 20 * MIB,
  scan: 100 * MIB,
  fill: 5 * MIB,
  blocked: 20 * MIB,
};

/** About how long a statement takes on a table of this size, in whole seconds. */
export function estimateSeconds(effect: MigrationEffect, bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_SECOND[effect]);
}
