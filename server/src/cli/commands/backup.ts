import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { checkBackup } from '#backups/actions/check-backup';
import { findBackup, listBackupIds, readManifest } from '#backups/actions/find-backup';
import { pruneBackups } from '#backups/actions/prune-backups';
import { missingKeys } from '#backups/domain/key-check';
import { partsOf } from '#backups/domain/manifest';
import type { Archive } from '#blobs/archive';
import { type CliContext, configOf } from '#cli/context';
import { CliError, EXIT, type ExitCode } from '#cli/exit';
import { presentBackup } from '#cli/operator/backups';
import { runOperatorCommand } from '#cli/operator/commands';
import { callOperator, runningServer, withOwnDatabase } from '#cli/operator-call';
import { countOf, outputOption, printJson, shortTime, table } from '#cli/output';
import type { Finish } from '#cli/program';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { hasEmbedded } from '#database/pglite';
import { readKeys } from '#runtime/keyring';

const EXAMPLES = `
Everything is read as it is at one moment, while the service goes on. The encryption key is not part of a backup: keep it elsewhere.
A location is a folder or s3://bucket/prefix, with the server and the keys of the settings MESSAGING_S3_*. Backups of one location
share the files of media. An installation with cells has all of them in one backup; each is of one moment, and the moments are
close to each other. While a tenant is on its way from one cell to another, no backup is made.

Examples:
  postrider backup --to /backups
  postrider backup --to s3://company-backups/postrider
  postrider backup list /backups
  postrider backup verify /backups                   reads the newest one and compares its hashes
  postrider backup prune /backups --keep 14`;

export function addBackup(program: Command, ctx: CliContext, finish: Finish): void {
  const backup = program
    .command('backup')
    .description('back up the database and media, while the service runs')
    .option('--to <location>', 'where to: a folder, or s3://bucket/prefix')
    .option('--copy-media', 'also copy media that is kept in a bucket')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: CreateOptions) => create(ctx, options));
  const part = (name: string, description: string) =>
    backup
      .command(name)
      .description(description)
      .argument('<location>', 'a folder, or s3://bucket/prefix')
      .addOption(outputOption());
  part('list', 'list the backups of a location').action((location: string, { output }: PartOptions) =>
    withArchive(ctx, location, (archive) => list(ctx, archive, output)),
  );
  part('verify', 'read a backup, count its rows and compare its hashes')
    .option('--backup <id>', 'which one; by default the newest')
    .action(async (location: string, options: PartOptions) =>
      finish(await withArchive(ctx, location, (archive) => verify(ctx, archive, options))),
    );
  part('prune', 'remove all but the newest backups of a location')
    .requiredOption('--keep <number>', 'how many to keep', parseKeep)
    .action((location: string, options: PartOptions & { readonly keep: number }) =>
      withArchive(ctx, location, (archive) => prune(ctx, archive, options)),
    );
}

interface CreateOptions {
  readonly to?: string;
  readonly copyMedia?: boolean;
  readonly output: string;
}

interface PartOptions {
  readonly output: string;
  readonly backup?: string;
}

function parseKeep(text: string): number {
  const keep = Number(text);
  if (Number.isInteger(keep) && keep >= 1 && keep <= 10_000) return keep;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
}

/** Folders are those of whoever typed them: a running server has another one of its own. */
function absolute(location: string): string {
  return location.includes('://') ? location : resolve(location);
}

async function create(ctx: CliContext, { to, copyMedia = false, output }: CreateOptions): Promise<void> {
  if (to === undefined) throw new CliError(EXIT.usage, 'Name a folder, or s3://bucket/prefix, with --to.');
  const input = { to: absolute(to), copy_media: copyMedia };
  const answer = await createHereOrThere(ctx, input);
  if (output === 'json') return printJson(ctx, answer);
  ctx.stdout.write(`Backup ${answer.id} in ${answer.location}: ${sizesOf(answer)}.\n`);
  const media = isJsonObject(answer.media) ? answer.media : {};
  if (media.copied === false) ctx.stderr.write(`Media was not copied: it stays in ${media.location}.\n`);
  if (Number(media.missing) > 0)
    ctx.stderr.write(
      `${countOf(media.missing, 'file')} of media could not be read, and the backup does not have them.\n`,
    );
}

/** A PostgreSQL is read from here, so that the running service does nothing for it; the embedded database has one process. */
async function createHereOrThere(ctx: CliContext, input: JsonObject): Promise<JsonObject> {
  const config = configOf(ctx);
  if (config.databaseUrl === '') {
    if ((await runningServer(config)) !== null) return callOperator(ctx, 'backup.create', input, 0);
    if (!hasEmbedded(config.dataDir))
      throw new CliError(
        EXIT.refused,
        `There is no database in ${config.dataDir}. Set MESSAGING_DATA_DIR or DATABASE_URL.`,
      );
  }
  return withOwnDatabase(ctx, config, (deps) => runOperatorCommand(deps, 'backup.create', input));
}

async function list(ctx: CliContext, archive: Archive, output: string): Promise<void> {
  const data: JsonObject[] = [];
  for (const id of await listBackupIds(archive)) {
    const manifest = await readManifest(archive, id);
    data.push(manifest === null ? { id, complete: false } : { complete: true, ...presentBackup(manifest) });
  }
  if (output === 'json') return printJson(ctx, { data });
  showList(ctx, { data });
}

const showList = table('There are no backups.', [
  { title: 'BACKUP', value: (row) => row.id },
  { title: 'STARTED (UTC)', value: (row) => (row.complete ? shortTime(row.started_at) : 'not completed') },
  { title: 'SCHEMA', value: (row) => row.schema_version, align: 'right' },
  { title: 'CELLS', value: (row) => (row.complete ? cellsOf(row) : null), align: 'right' },
  { title: 'ROWS', value: (row) => row.rows, align: 'right' },
  { title: 'MIB', value: (row) => mib(row.bytes), align: 'right' },
  { title: 'MEDIA FILES', value: (row) => (isJsonObject(row.media) ? row.media.files : null), align: 'right' },
]);

async function verify(ctx: CliContext, archive: Archive, { backup, output }: PartOptions): Promise<ExitCode> {
  const manifest = await findBackup(archive, backup ?? null);
  const { rows, faults } = await checkBackup(archive, manifest);
  const known = readKeys(configOf(ctx));
  const needed = partsOf(manifest).flatMap((part) => missingKeys(part.keys, known, manifest.id));
  const keys = [...new Set(needed)];
  if (output === 'json') printJson(ctx, { ...presentBackup(manifest), rows_read: rows, faults, missing_keys: keys });
  else {
    for (const fault of faults) ctx.stdout.write(`${fault}\n`);
    if (faults.length === 0) ctx.stdout.write(`Backup ${manifest.id} is whole: ${sizesOf(presentBackup(manifest))}.\n`);
    if (keys.length > 0)
      ctx.stderr.write(`To restore it, the encryption key ${keys.join(', ')} is needed, which is not here.\n`);
  }
  return faults.length === 0 ? EXIT.ok : EXIT.failure;
}

async function prune(
  ctx: CliContext,
  archive: Archive,
  { keep, output }: PartOptions & { readonly keep: number },
): Promise<void> {
  const { kept, removed, media, unfinished } = await pruneBackups(archive, { keep, nowMs: ctx.clock.now() });
  if (output === 'json') return printJson(ctx, { kept, removed, media_removed: media, unfinished });
  ctx.stdout.write(
    `Removed ${countOf(removed.length, 'backup')} and ${countOf(media, 'file')} of media; ${kept.length} kept.\n`,
  );
  if (unfinished !== null)
    ctx.stderr.write(`Media was left alone, because the backup ${unfinished} is not completed.\n`);
}

/** Opens a location for a command. */
export async function withArchive<T>(
  ctx: CliContext,
  location: string,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  // Loaded on demand: most commands need no archive.
  const { openArchive } = await import('#blobs/open-archive');
  const archive = openArchive(configOf(ctx), location);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

function sizesOf(backup: JsonObject): string {
  const { rows, bytes, media } = backup;
  const files = isJsonObject(media) ? media.files : 0;
  const cells = cellsOf(backup) === 1 ? '' : ` of ${countOf(cellsOf(backup), 'cell')}`;
  return `${countOf(rows, 'row')}${cells} in ${mib(bytes)} MiB, ${countOf(files, 'file')} of media`;
}

/** An installation without cells has the main one. */
function cellsOf({ cells }: JsonObject): number {
  return isJsonList(cells) ? cells.length : 1;
}

function mib(bytes: JsonValue | undefined): string | null {
  return typeof bytes === 'number' ? (bytes / 1024 / 1024).toFixed(1) : null;
}
