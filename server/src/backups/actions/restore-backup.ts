import { missingKeys } from '#backups/domain/key-check';
import { BackupUnusable, type Manifest, type MigrationEntry, schemaVersion } from '#backups/domain/manifest';
import { RowDigest } from '#backups/domain/row-digest';
import {
  clearUnused,
  countOthers,
  findRestored,
  insertLines,
  listTables,
  listUsedTables,
  lockForRestore,
  markRestored,
  readLines,
  type TableShape,
} from '#backups/store/table-rows';
import type { Archive } from '#blobs/archive';
import type { BlobStore } from '#blobs/blob-store';
import { OperatorError } from '#core/operator-error';
import type { Connection, OpenDatabase, Transaction } from '#database/database';
import type { Migration } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { prepareDatabase } from '#maintenance/actions/open-database';
import { readKeys } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { restoreMedia } from './media-files.ts';
import { readTable } from './row-files.ts';

export interface RestoreDeps {
  readonly rt: Runtime;
  readonly db: OpenDatabase;
  readonly archive: Archive;
  readonly store: BlobStore;
  readonly migrations: readonly Migration[];
}

export interface Restored {
  readonly rows: number;
  readonly media: number;
  /** Migrations that the backup did not have yet. */
  readonly migrated: readonly string[];
}

/**
 * Refuses a backup that this program or this machine cannot use, before a database is opened for it.
 * @throws BackupUnusable when it is of a newer schema, or of other migrations, or encrypted with a key that is not here
 */
export function requireUsable(
  { config }: Pick<Runtime, 'config'>,
  manifest: Manifest,
  migrations: readonly Migration[],
): void {
  const { id, version, keys } = manifest;
  const newest = migrations.at(-1)?.version ?? 0;
  if (schemaVersion(manifest) > newest)
    throw new BackupUnusable(
      `The backup ${id} has schema version ${schemaVersion(manifest)}, this program knows ${newest}. Restore it with the newer program (${version}).`,
    );
  const other = manifest.migrations.find((entry) => !isKnown(entry, migrations));
  if (other)
    throw new BackupUnusable(
      `The backup ${id} was made with another migration ${other.version} (${other.name}) than this program has.`,
    );
  const missing = missingKeys(keys, readKeys(config), id);
  if (missing.length > 0)
    throw new BackupUnusable(
      `The secrets in the backup ${id} are encrypted with another encryption key (${missing.join(', ')}). Put the encryption.key that belongs to it into the data folder, or set MESSAGING_ENCRYPTION_KEY.`,
    );
}

function isKnown({ version, checksum }: MigrationEntry, migrations: readonly Migration[]): boolean {
  return migrations.some((known) => known.version === version && known.checksum === checksum);
}

/**
 * Brings a backup into an empty database. All rows come in one transaction: a restore that fails or is killed leaves the database as
 * empty as it was, and can be run again. A new history begins, so that nothing is sent of which it is unknown whether it has been.
 * @param verify reads every row back and compares it with the backup, before anything is committed
 * @throws OperatorError when the database is not empty or in use; BackupUnusable when the backup is damaged
 */
export async function restoreBackup(
  deps: RestoreDeps,
  manifest: Manifest,
  { verify }: { readonly verify: boolean },
): Promise<Restored> {
  const { rt, db, archive, store, migrations } = deps;
  requireUsable(rt, manifest, migrations);
  const shapes = await listTables(db);
  const isCommitted = await hasRowsOf(db, shapes, manifest);
  if (!isCommitted) await makeReady(deps, shapes, manifest);
  const media = await restoreMedia(archive, store, manifest);
  if (!isCommitted) await db.session((session) => restoreRows(deps, session, { manifest, verify }));
  const migrated = await prepareDatabase(rt, db, migrations);
  await makeHistoryKeeper(rt, db).open();
  const rows = Object.values(manifest.tables).reduce((sum, entry) => sum + entry.rows, 0);
  return { rows, media, migrated };
}

/** Whether an earlier restore of the same backup was interrupted after its rows had come, so that only the rest is left to do. */
async function hasRowsOf(db: OpenDatabase, shapes: readonly TableShape[], { id }: Manifest): Promise<boolean> {
  return shapes.some(({ table }) => table === 'database_histories') && (await findRestored(db)) === id;
}

/** Gives an empty database the schema of the backup. */
async function makeReady(
  { rt, db, migrations }: RestoreDeps,
  shapes: readonly TableShape[],
  manifest: Manifest,
): Promise<void> {
  await requireEmpty(db, shapes);
  const known = migrations.filter(({ version }) => version <= schemaVersion(manifest));
  await migrate(db, known, { nowMs: rt.clock.now(), clock: rt.clock, log: rt.log });
}

interface Restoring {
  readonly manifest: Manifest;
  readonly verify: boolean;
}

function restoreRows(
  { archive, db }: RestoreDeps,
  session: Connection,
  { manifest, verify }: Restoring,
): Promise<void> {
  return session.transaction(async (tx) => {
    await lockForRestore(tx);
    const shapes = await listTables(tx);
    requireSameTables(shapes, manifest);
    await requireEmpty(tx, shapes);
    if (db.kind === 'postgres') await requireAlone(db, tx);
    await clearUnused(tx);
    for (const shape of shapes) await restoreTable(archive, tx, { shape, manifest });
    if (verify) for (const shape of shapes) await compare(tx, shape, manifest);
    await markRestored(tx, manifest.id);
  });
}

async function requireEmpty(db: Pick<Connection, 'run'>, shapes: readonly TableShape[]): Promise<void> {
  const used = await listUsedTables(db, shapes);
  if (used.length === 0) return;
  throw new OperatorError(
    `The database is not empty: ${used.slice(0, 3).join(', ')}${used.length > 3 ? ' and others have' : ' has'} rows. A backup is restored into an empty database or data folder only. Nothing was changed.`,
  );
}

async function requireAlone(db: OpenDatabase, tx: Transaction): Promise<void> {
  if ((await countOthers(tx, db.load().open)) === 0) return;
  throw new OperatorError('Other processes of Postrider use this database. Stop them first. Nothing was changed.');
}

/** The same migrations make the same tables, unless somebody has changed some by hand. */
function requireSameTables(shapes: readonly TableShape[], { id, tables }: Manifest): void {
  const textOf = (all: readonly (readonly [string, readonly string[]])[]) => JSON.stringify(all.toSorted());
  const here = textOf(shapes.map(({ table, columns }) => [table, columns.toSorted()]));
  const there = textOf(Object.entries(tables).map(([table, { columns }]) => [table, columns.toSorted()]));
  if (here !== there)
    throw new BackupUnusable(`The backup ${id} has other tables or columns than its migrations make.`);
}

async function restoreTable(
  archive: Archive,
  tx: Transaction,
  { shape, manifest }: { readonly shape: TableShape; readonly manifest: Manifest },
): Promise<void> {
  const entry = manifest.tables[shape.table];
  if (entry === undefined) return;
  const typeOf = new Map(shape.columns.map((column, at) => [column, shape.types[at] ?? '']));
  const ordered = { ...shape, columns: entry.columns, types: entry.columns.map((column) => typeOf.get(column) ?? '') };
  let rows = 0;
  for await (const lines of readTable(archive, shape.table, entry)) rows += await insertLines(tx, ordered, lines);
  if (rows !== entry.rows)
    throw new BackupUnusable(`Of ${shape.table}, ${rows} of ${entry.rows} rows could be restored.`);
}

/** @throws BackupUnusable when the database has other rows now than the backup */
async function compare(tx: Transaction, shape: TableShape, { id, tables }: Manifest): Promise<void> {
  const entry = tables[shape.table];
  const digest = new RowDigest();
  for await (const lines of readLines(tx, { ...shape, columns: entry?.columns ?? [] }))
    for (const line of lines) digest.add(line);
  if (digest.rows !== entry?.rows || digest.hex !== entry.digest)
    throw new BackupUnusable(
      `${shape.table} has other rows after the restore than the backup ${id}. Nothing was changed.`,
    );
}
