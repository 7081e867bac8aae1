import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import { findBackup } from '#backups/actions/find-backup';
import { requireUsable, restoreBackup } from '#backups/actions/restore-backup';
import { isBackupId } from '#backups/domain/manifest';
import { type CliContext, configOf } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { runningServer, withOwnDatabase } from '#cli/operator-call';
import { countOf, outputOption, printJson } from '#cli/output';
import { readMigrations } from '#database/migration-file';
import { withArchive } from './backup.ts';

const EXAMPLES = `
The database (or the data folder) must be empty, and no service may run on it. A restore that was interrupted can be run again. What may
have been sent since the backup is held: "postrider held" shows it and releases it.

Examples:
  postrider restore /backups                         the newest backup, into the embedded database in ./data
  DATABASE_URL=postgres://… postrider restore s3://company-backups/postrider --verify
  postrider restore /backups --backup 20261126T020000Z-3f9ac1`;

interface RestoreOptions {
  readonly backup?: string;
  readonly verify?: boolean;
  readonly output: string;
}

export function addRestore(program: Command, ctx: CliContext): void {
  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<location>', 'a folder, or s3://bucket/prefix')
    .option('--backup <id>', 'which one; by default the newest')
    .option('--verify', 'read every row back and compare it with the backup before anything is committed')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action((location: string, options: RestoreOptions) => restore(ctx, location, options));
}

/** Also takes the folder of a single backup, which people copy out of a file manager. */
function locate(given: string, wanted: string | undefined): { readonly location: string; readonly id: string | null } {
  const trimmed = given.replace(/\/+$/, '');
  if (wanted === undefined && isBackupId(basename(trimmed)))
    return { location: dirname(trimmed), id: basename(trimmed) };
  return { location: given, id: wanted ?? null };
}

async function restore(
  ctx: CliContext,
  given: string,
  { backup, verify = false, output }: RestoreOptions,
): Promise<void> {
  const config = configOf(ctx);
  const { location, id } = locate(given, backup);
  await withArchive(ctx, location, async (archive) => {
    const manifest = await findBackup(archive, id);
    const { migrationsFolder } = await ctx.loadServer();
    const migrations = readMigrations(migrationsFolder());
    requireUsable({ config }, manifest, migrations);
    if ((await runningServer(config)) !== null)
      throw new CliError(EXIT.refused, 'A service runs on this database. Stop it first. Nothing was changed.');
    const { openBlobStore } = await import('#blobs/open-store');
    const restored = await withOwnDatabase(ctx, config, async ({ rt, db }) => {
      const store = openBlobStore(config);
      return restoreBackup({ rt, db, archive, store, migrations }, manifest, { verify }).finally(() => store.close());
    });
    const { rows, media, migrated } = restored;
    if (output === 'json') return printJson(ctx, { id: manifest.id, rows, media, migrated, verified: verify });
    const checked = verify ? ', read back and compared' : '';
    ctx.stdout.write(
      `Restored ${manifest.id}: ${countOf(rows, 'row')}${checked}, ${countOf(media, 'file')} of media.\n`,
    );
    if (migrated.length > 0) ctx.stdout.write(`Applied ${migrated.join(', ')}.\n`);
    ctx.stdout.write('A new history begins. Before you start the service, read what "postrider held list" says.\n');
  });
}
