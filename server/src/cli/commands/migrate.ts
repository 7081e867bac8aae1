import type { Command } from 'commander';
import { migrateCells } from '#cells/actions/migrate-cells';
import { type CliContext, configOf } from '#cli/context';
import { withOwnDatabase } from '#cli/operator-call';
import { outputOption, printJson } from '#cli/output';
import { readMigrations } from '#database/migration-file';
import { prepareDatabase } from '#maintenance/actions/open-database';

const EXAMPLES = `
"postrider serve" also does this at startup. Migrations go forward only; running them again changes nothing.

Examples:
  postrider migrate
  DATABASE_URL=postgres://… postrider migrate -o json`;

export function addMigrate(program: Command, ctx: CliContext): void {
  program
    .command('migrate')
    .description('update the schema of the database')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action((options: { output: string }) => runMigrate(ctx, options.output));
}

/** @throws FolderLocked when a running server holds the embedded database (it migrated when it started) */
export async function runMigrate(ctx: CliContext, output: string): Promise<void> {
  const applied = await withOwnDatabase(ctx, configOf(ctx), async ({ rt, db, migrationsFolder }) => {
    const migrations = readMigrations(migrationsFolder);
    return [...(await prepareDatabase(rt, db, migrations)), ...(await migrateCells(rt, db, migrations))];
  });
  if (output === 'json') printJson(ctx, { applied });
  else ctx.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied ${applied.join(', ')}.\n`);
}
