import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database.ts';

/** The database cannot be used by this version; the message is meant for the operator. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/** The numbered migrations of a folder, in order. */
export function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .map((file) => ({ file, match: FILE_NAME.exec(file) }))
    .filter(({ match }) => match !== null)
    .map(({ file, match }) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(match?.[1]), name: match?.[2] ?? '', text, checksum };
    })
    .sort((a, b) => a.version - b.version);
}

/** Any constant: serialises processes that start at the same time on one PostgreSQL. */
const MIGRATION_LOCK = 723_001;

/**
 * Brings the schema up to date, forward only, in one transaction: an interrupted migration leaves nothing half made.
 * @returns names of what was applied now
 * @throws SchemaMismatch when the database is newer than this program, or an applied migration was edited
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  nowMs: number,
): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    await tx.run({ name: 'migration_lock', text: 'select pg_advisory_xact_lock($1)' }, [MIGRATION_LOCK]);
    await tx.run({ name: 'migration_table', text: TABLE }, []);
    const { rows } = await tx.run<Applied>({ name: 'migration_list', text: LIST }, []);
    refuseNewer(rows, migrations);
    const pending = migrations.filter(({ version }) => !rows.some((row) => row.version === version));
    for (const migration of pending) {
      for (const [index, text] of splitStatements(migration.text).entries()) {
        await tx.run({ name: `migration_${migration.version}_${index}`, text }, []);
      }
      await tx.run({ name: 'migration_record', text: RECORD }, [
        migration.version,
        migration.name,
        migration.checksum,
        nowMs,
      ]);
    }
    return pending.map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}`);
  });
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const TABLE = `create table if not exists schema_migrations (
  version integer primary key, name text not null, checksum text not null, applied_ms bigint not null)`;
const LIST = 'select version, name, checksum from schema_migrations order by version';
const RECORD = 'insert into schema_migrations (version, name, checksum, applied_ms) values ($1, $2, $3, $4)';

function refuseNewer(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const row of applied) {
    if (row.version > newest) {
      throw new SchemaMismatch(
        `The database has schema version ${row.version} (${row.name}), this program knows ${newest}. ` +
          'Start the newer program; going back is not supported.',
      );
    }
    const known = migrations.find(({ version }) => version === row.version);
    if (known && known.checksum !== row.checksum) {
      throw new SchemaMismatch(
        `Migration ${row.version} (${row.name}) was edited after it was applied to this database.`,
      );
    }
  }
}

/**
 * Splits a migration into statements: the extended protocol takes one at a time. Comments are dropped; our
 * migrations hold no semicolon inside a literal or a body, which a test of every migration confirms by running it.
 */
export function splitStatements(text: string): readonly string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
