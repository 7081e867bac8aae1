import type { Command } from 'commander';
import { findNewestBackup, hasBackupsTable } from '#backups/store/backups';
import { migrateCells } from '#cells/actions/migrate-cells';
import { requireWhole } from '#cells/actions/require-whole';
import { type CliContext, configOf } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { withOwnDatabase } from '#cli/operator-call';
import { countOf, outputOption, printJson } from '#cli/output';
import { readMigrations } from '#database/migration-file';
import { hasEmbedded } from '#database/pglite';
import { type ChangedTable, type CheckedMigration, checkMigrations } from '#maintenance/actions/check-migrations';
import { prepareDatabase } from '#maintenance/actions/open-database';
import type { MigrationEffect } from '#maintenance/domain/migration-outlook';

const EXAMPLES = `
"postrider serve" also does this at startup. Migrations go forward only; running them again changes nothing.

Examples:
  postrider migrate --check                          what it would do, which tables, and for about how long
  postrider migrate
  DATABASE_URL=postgres://… postrider migrate -o json`;

interface MigrateCommand {
  readonly check?: boolean;
  readonly output: string;
}

export function addMigrate(program: Command, ctx: CliContext): void {
  program
    .command('migrate')
    .description('update the schema of the database')
    .option('--check', 'say what it would do, and change nothing')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(({ check, output }: MigrateCommand) => (check ? runCheck(ctx, output) : runMigrate(ctx, output)));
}

/** @throws FolderLocked when a running server holds the embedded database (it migrated when it started) */
export async function runMigrate(ctx: CliContext, output: string): Promise<void> {
  const applied = await withOwnDatabase(ctx, configOf(ctx), async ({ rt, db, migrationsFolder }) => {
    const migrations = readMigrations(migrationsFolder);
    await requireWhole(db);
    return [...(await prepareDatabase(rt, db, migrations)), ...(await migrateCells(rt, db, migrations))];
  });
  if (output === 'json') printJson(ctx, { applied });
  else ctx.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied ${applied.join(', ')}.\n`);
}

interface Checked {
  readonly pending: readonly CheckedMigration[];
  /** When the newest backup was begun; null: none is known. */
  readonly backupMs: number | null;
}

async function runCheck(ctx: CliContext, output: string): Promise<void> {
  const config = configOf(ctx);
  if (config.databaseUrl === '' && !hasEmbedded(config.dataDir))
    throw new CliError(EXIT.refused, `There is no database in ${config.dataDir} yet: the first start makes it.`);
  const checked = await withOwnDatabase(ctx, config, async ({ db, migrationsFolder }): Promise<Checked> => {
    const pending = await checkMigrations(db, readMigrations(migrationsFolder));
    const newest = (await hasBackupsTable(db)) ? await findNewestBackup(db) : null;
    return { pending, backupMs: newest?.startedMs ?? null };
  });
  if (output === 'json') printJson(ctx, present(checked));
  else ctx.stdout.write(textOf(checked));
}

function present({ pending, backupMs }: Checked) {
  return {
    pending: pending.map(({ name, isBreaking, tables }) => ({
      name,
      breaking: isBreaking,
      tables: tables.map(({ table, bytes, rows, effects, seconds }) => ({
        table,
        bytes,
        rows,
        effects: [...effects],
        seconds,
      })),
    })),
    newest_backup_at: backupMs === null ? null : new Date(backupMs).toISOString(),
  };
}

function textOf({ pending, backupMs }: Checked): string {
  if (pending.length === 0) return 'The schema is up to date.\n';
  const backup =
    backupMs === null ? 'No backup is known' : `The newest backup is of ${new Date(backupMs).toISOString()}`;
  const lines = [
    `${countOf(pending.length, 'migration')} to apply:`,
    ...pending.flatMap(linesOf),
    'Estimates are rough. A migration waits for locks without holding up traffic for more than two seconds at a time.',
    `${backup}: "postrider backup --to <location>" makes one. Nothing was changed.`,
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf({ name, isBreaking, tables }: CheckedMigration): readonly string[] {
  const breaking = isBreaking ? ' (programs that do not know it stop)' : '';
  if (tables.length === 0) return [`  ${name}${breaking}: nothing that has rows`];
  return [`  ${name}${breaking}`, ...tables.map(tableLine)];
}

const EFFECTS: Readonly<Record<MigrationEffect, string>> = {
  new: 'makes it',
  moment: 'locks it for a moment',
  index: 'builds an index while traffic goes on',
  scan: 'reads it while traffic goes on',
  fill: 'writes its rows',
  blocked: 'holds up everything that writes to it',
};

function tableLine({ table, bytes, rows, effects, seconds }: ChangedTable): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB, about ${rows} rows`;
  const time = seconds <= 1 ? 'at most a second' : `about ${countOf(seconds, 'second')}`;
  return `    ${table} (${size}): ${effects.map((effect) => EFFECTS[effect]).join(', ')}; ${time}`;
}
