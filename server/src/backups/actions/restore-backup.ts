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
  readPlace,
  type TableShape,
  wasRestored,
} from '#backups/store/table-rows';
import type { Archive } from '#blobs/archive';
import type { BlobStore } from '#blobs/blob-store';
import { OperatorError } from '#core/operator-error';
import type { Connection, OpenDatabase, Transaction } from '#database/database';
import type { Migration } from '#database/migration-file';
import { listApplied, migrate } from '#database/migrator';
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
  /** What else this process has open: it may be on the same server. */
  readonly others?: readonly OpenDatabase[];
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
  requireUsable(deps.rt, manifest, deps.migrations);
  const media = await bringBack(deps, manifest, { verify });
  const migrated = await beginAnew(deps);
  return { rows: rowsIn(manifest), media, migrated };
}

/** How many rows a backup has of one database. */
export function rowsIn({ tables }: Pick<Manifest, 'tables'>): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

/** How rows come back. */
export interface BringOptions {
  readonly verify: boolean;
  /** Changes what came back, in the same transaction. */
  readonly adapt?: (tx: Transaction) => Promise<void>;
}

/** Brings back media, and the rows of a database, unless an earlier restore has brought them. @returns how many files of media there are */
export async function bringBack(deps: RestoreDeps, manifest: Manifest, options: BringOptions): Promise<number> {
  const { db, archive, store } = deps;
  const shapes = await listTables(db);
  const isCommitted = await hasRowsOf(db, shapes, manifest);
  if (!isCommitted) await makeReady(deps, shapes, manifest);
  const media = await restoreMedia(archive, store, manifest);
  if (!isCommitted) await db.session((session) => restoreRows(deps, session, { manifest, ...options }));
  return media;
}

/**
 * Brings the schema of what came back up to date, and begins a new history.
 * @param dataDir where the mark of the database is remembered
 * @returns migrations that the backup did not have yet
 */
export async function beginAnew(
  { rt, db, migrations }: RestoreDeps,
  dataDir = rt.config.dataDir,
): Promise<readonly string[]> {
  const migrated = await prepareDatabase(rt, db, migrations);
  await makeHistoryKeeper(rt, db, dataDir).open();
  return migrated;
}

/** @throws OperatorError when the rows of a backup cannot come into this database; nothing was changed */
export async function requireRoom(db: OpenDatabase, manifest: Manifest, what: string): Promise<void> {
  const shapes = await listTables(db);
  if (await hasRowsOf(db, shapes, manifest)) return;
  await requireEmpty(db, shapes, what);
  await requireNoNewer(db, shapes, { manifest, what });
}

/** @throws BackupUnusable when a file of rows is missing, or has another size than was written */
export async function requireFiles(archive: Archive, { tables }: Manifest): Promise<void> {
  for (const { name, bytes } of Object.values(tables).flatMap(({ files }) => files)) {
    const size = await archive.size(name);
    if (size === null) throw new BackupUnusable(`${name} is missing from the backup. Nothing was changed.`);
    if (size !== bytes)
      throw new BackupUnusable(`${name} is damaged: it is not what was written. Nothing was changed.`);
  }
}

/** Whether an earlier restore of the same backup was interrupted after its rows had come, so that only the rest is left to do. */
async function hasRowsOf(db: OpenDatabase, shapes: readonly TableShape[], { id }: Manifest): Promise<boolean> {
  return shapes.some(({ table }) => table === 'database_histories') && (await findRestored(db)) === id;
}

/** Whether the rows of a backup have come here, also when a history has begun since. */
export async function haveCome(db: OpenDatabase, { id }: Manifest): Promise<boolean> {
  const shapes = await listTables(db);
  return shapes.some(({ table }) => table === 'database_histories') && (await wasRestored(db, id));
}

/** Gives an empty database the schema of the backup. */
async function makeReady(
  { rt, db, migrations }: RestoreDeps,
  shapes: readonly TableShape[],
  manifest: Manifest,
): Promise<void> {
  await requireEmpty(db, shapes);
  await requireNoNewer(db, shapes, { manifest, what: THE_DATABASE });
  const known = migrations.filter(({ version }) => version <= schemaVersion(manifest));
  await migrate(db, known, { nowMs: rt.clock.now(), clock: rt.clock, log: rt.log });
}

/** Rows of an older schema do not fit into the tables of a newer one. */
async function requireNoNewer(
  db: OpenDatabase,
  shapes: readonly TableShape[],
  { manifest, what }: { readonly manifest: Manifest; readonly what: string },
): Promise<void> {
  if (shapes.length === 0) return;
  const version = (await listApplied(db)).at(-1)?.version ?? 0;
  if (version > schemaVersion(manifest))
    throw new OperatorError(
      `${what} has the schema version ${version} already, the backup ${manifest.id} has ${schemaVersion(manifest)}. Restore it into a database without tables. Nothing was changed.`,
    );
}

interface Restoring extends BringOptions {
  readonly manifest: Manifest;
}

function restoreRows(deps: RestoreDeps, session: Connection, { manifest, verify, adapt }: Restoring): Promise<void> {
  const { archive, db } = deps;
  return session.transaction(async (tx) => {
    await lockForRestore(tx);
    const shapes = await listTables(tx);
    requireSameTables(shapes, manifest);
    await requireEmpty(tx, shapes);
    if (db.kind === 'postgres') await requireAlone(deps, tx);
    await clearUnused(tx);
    for (const shape of shapes) await restoreTable(archive, tx, { shape, manifest });
    if (verify) for (const shape of shapes) await compare(tx, shape, manifest);
    await adapt?.(tx);
    await markRestored(tx, manifest.id);
  });
}

const THE_DATABASE = 'The database';

async function requireEmpty(
  db: Pick<Connection, 'run'>,
  shapes: readonly TableShape[],
  what = THE_DATABASE,
): Promise<void> {
  const used = await listUsedTables(db, shapes);
  if (used.length === 0) return;
  throw new OperatorError(
    `${what} is not empty: ${used.slice(0, 3).join(', ')}${used.length > 3 ? ' and others have' : ' has'} rows. A backup is restored into an empty database or data folder only. Nothing was changed.`,
  );
}

async function requireAlone({ db, others = [] }: RestoreDeps, tx: Transaction): Promise<void> {
  const place = await readPlace(tx);
  let own = db.load().open;
  for (const other of others) if ((await readPlace(other)) === place) own += other.load().open;
  if ((await countOthers(tx, own)) === 0) return;
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
