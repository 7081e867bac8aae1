import { basename, dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { findBackup } from '#backups/actions/find-backup';
import { type RestoreDeps, type Restored, requireUsable, restoreBackup } from '#backups/actions/restore-backup';
import { isBackupId, type Manifest, partsOf } from '#backups/domain/manifest';
import { addedCells } from '#cells/actions/add-cell';
import type { GivenPlaces } from '#cells/actions/choose-places';
import { restoreCells } from '#cells/actions/restore-cells';
import { type RestoredCell, restoreOneCell } from '#cells/actions/restore-one-cell';
import { type CliContext, configOf } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { runningServer, withOwnDatabase } from '#cli/operator-call';
import { countOf, outputOption, printJson } from '#cli/output';
import type { JsonObject } from '#core/json';
import { readMigrations } from '#database/migration-file';
import { withArchive } from './backup.ts';

const EXAMPLES = `
The database (or the data folder) must be empty, and no service may run on it. A restore that was interrupted can be run again. What may
have been sent since the backup is held: "postrider held" shows it and releases it.

Examples:
  postrider restore /backups                         the newest backup, into the embedded database in ./data
  DATABASE_URL=postgres://… postrider restore s3://company-backups/postrider --verify
  postrider restore /backups --backup 20261126T020000Z-3f9ac1

The cells of an installation come back in the schemas that they had, on the server of DATABASE_URL; say where those go that were on
another server, or should be. One cell alone comes back into an empty place, beside the others:
  postrider restore /backups --cell-at c=postgres://user:…@db2/postrider --cell-at d=cell_d
  postrider restore /backups --cell c`;

interface RestoreOptions {
  readonly backup?: string;
  readonly verify?: boolean;
  readonly cell?: string;
  readonly cellAt: GivenPlaces;
  readonly output: string;
}

export function addRestore(program: Command, ctx: CliContext): void {
  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<location>', 'a folder, or s3://bucket/prefix')
    .option('--backup <id>', 'which one; by default the newest')
    .option('--verify', 'read every row back and compare it with the backup before anything is committed')
    .option('--cell <id>', 'this cell alone, into an empty place beside the others')
    .option(
      '--cell-at <id=place>',
      'where a cell goes: an address, or a schema; may be repeated',
      parsePlace,
      new Map(),
    )
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action((location: string, options: RestoreOptions) => restore(ctx, location, options));
}

function parsePlace(text: string, before: GivenPlaces): GivenPlaces {
  const at = text.indexOf('=');
  const [cellId, place] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || place === '')
    throw new InvalidArgumentError('It must be like c=postgres://user:password@host/database, or c=cell_c.');
  if (before.has(cellId)) throw new InvalidArgumentError(`The cell ${cellId} is named twice.`);
  return new Map([...before, [cellId, place]]);
}

/** Also takes the folder of a single backup, which people copy out of a file manager. */
function locate(given: string, wanted: string | undefined): { readonly location: string; readonly id: string | null } {
  const trimmed = given.replace(/\/+$/, '');
  if (wanted === undefined && isBackupId(basename(trimmed)))
    return { location: dirname(trimmed), id: basename(trimmed) };
  return { location: given, id: wanted ?? null };
}

async function restore(ctx: CliContext, given: string, options: RestoreOptions): Promise<void> {
  const { backup, verify = false, output } = options;
  const config = configOf(ctx);
  const { location, id } = locate(given, backup);
  await withArchive(ctx, location, async (archive) => {
    const manifest = await findBackup(archive, id);
    const { migrationsFolder } = await ctx.loadServer();
    const migrations = readMigrations(migrationsFolder());
    for (const part of partsOf(manifest)) requireUsable({ config }, part, migrations);
    if ((await runningServer(config)) !== null)
      throw new CliError(EXIT.refused, 'A service runs on this database. Stop it first. Nothing was changed.');
    const { openBlobStore } = await import('#blobs/open-store');
    const restored = await withOwnDatabase(ctx, config, async ({ rt, db }) => {
      const store = openBlobStore(config);
      const deps = { rt, db, archive, store, migrations };
      return bringBackWhatIsWanted(deps, manifest, options).finally(() => store.close());
    });
    const { rows, media, migrated } = restored;
    if (output === 'json')
      return printJson(ctx, { id: manifest.id, rows, media, migrated, verified: verify, ...presentCells(restored) });
    const checked = verify ? ', read back and compared' : '';
    const cells = restored.cells === undefined ? '' : ` in the cells ${restored.cells.join(', ')}`;
    ctx.stdout.write(
      `Restored ${manifest.id}: ${countOf(rows, 'row')}${cells}${checked}, ${countOf(media, 'file')} of media.\n`,
    );
    if (migrated.length > 0) ctx.stdout.write(`Applied ${migrated.join(', ')}.\n`);
    for (const sentence of sentencesOf(restored)) ctx.stdout.write(`${sentence}\n`);
    ctx.stdout.write('A new history begins. Before you start the service, read what "postrider held list" says.\n');
  });
}

/** What any restore did; the rest only where there are cells. */
type AnyRestored = Restored & Partial<RestoredCell>;

async function bringBackWhatIsWanted(
  deps: RestoreDeps,
  manifest: Manifest,
  { verify = false, cell, cellAt }: RestoreOptions,
): Promise<AnyRestored> {
  if (cell !== undefined) {
    const other = [...cellAt.keys()].find((cellId) => cellId !== cell);
    if (other !== undefined) throw new CliError(EXIT.usage, `Only the cell ${cell} is restored, not ${other}.`);
    return restoreOneCell(deps, manifest, { cellId: cell, at: cellAt.get(cell) ?? null, verify });
  }
  const hasCells = manifest.cells !== undefined || cellAt.size > 0;
  if (hasCells || (deps.db.kind === 'postgres' && (await addedCells(deps.db)).length > 0))
    return restoreCells(deps, manifest, { verify, given: cellAt });
  return restoreBackup(deps, manifest, { verify });
}

function presentCells({ cells, faults, elsewhere, absent }: AnyRestored): JsonObject {
  const lists = Object.entries({ cells, faults, elsewhere, absent });
  return Object.fromEntries(lists.flatMap(([name, list]) => (list === undefined ? [] : [[name, [...list]]])));
}

function sentencesOf({ faults = [], elsewhere = [], absent = [] }: AnyRestored): readonly string[] {
  return [
    ...faults,
    ...elsewhere.map((tenant) => `The tenant ${tenant} lives in another cell by now, and stays there as it is.`),
    ...absent.map(
      (tenant) => `The tenant ${tenant} came into the cell after the backup, which does not have it there.`,
    ),
  ];
}
