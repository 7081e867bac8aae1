import { Readable } from 'node:stream';
import { keyEntries } from '#backups/domain/key-check';
import {
  type BackedUpRows,
  backupId,
  FORMAT,
  FORMAT_WITH_CELLS,
  MANIFEST,
  type Manifest,
  partsOf,
  type TableEntry,
} from '#backups/domain/manifest';
import { hasBackupsTable, recordBackup } from '#backups/store/backups';
import { beginStill, listKeyIds, listTables, readLines } from '#backups/store/table-rows';
import type { Archive } from '#blobs/archive';
import type { BlobStore } from '#blobs/blob-store';
import { OperatorError } from '#core/operator-error';
import type { Connection, Database, Transaction } from '#database/database';
import { listApplied } from '#database/migrator';
import { readKeys } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { serviceVersion } from '#runtime/version';
import { copyMedia } from './media-files.ts';
import { writeTable } from './row-files.ts';

export interface BackupDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly archive: Archive;
  readonly store: BlobStore;
}

export interface BackupOptions {
  /** Copy media also out of a bucket. */
  readonly copyBucket: boolean;
  /** Of a file of rows before it is compressed; for tests. */
  readonly fileBytes?: number;
}

/** Says that a backup was begun; it goes when the manifest is there. */
export const BEGUN = 'begun.json';

/**
 * Writes everything that the database holds at one moment, and the bytes of media, into an archive, while the service goes on. A backup
 * that fails leaves nothing behind; one that is killed has no manifest, and is never taken for a whole one.
 * @throws OperatorError when the database holds nothing of Postrider; ArchiveUnavailable
 */
export function createBackup(deps: BackupDeps, options: BackupOptions): Promise<Manifest> {
  return makeBackup(deps, (id) => copyDatabase(deps, { ...options, id, folder: id }));
}

/** What is in a backup: one database, or those of all cells. */
type Content = BackedUpRows & Pick<Manifest, 'cells'>;

/** Makes a backup of what `copy` writes into the folder that is named like the backup; it is noted in the database of `deps`. */
export async function makeBackup(deps: BackupDeps, copy: (id: string) => Promise<Content>): Promise<Manifest> {
  const { rt, archive } = deps;
  const startedMs = rt.clock.now();
  const id = backupId(startedMs, rt.newId<string>().replaceAll('-', '').slice(-8));
  await writeJson(archive, `${id}/${BEGUN}`, { id });
  try {
    const content = await copy(id);
    const manifest: Manifest = {
      format: content.cells === undefined ? FORMAT : FORMAT_WITH_CELLS,
      id,
      version: serviceVersion(),
      database: deps.db.kind,
      startedAt: new Date(startedMs).toISOString(),
      finishedAt: new Date(rt.clock.now()).toISOString(),
      ...content,
    };
    await writeJson(archive, `${id}/${MANIFEST}`, manifest);
    await archive.remove(`${id}/${BEGUN}`);
    await remember(deps, manifest, startedMs);
    return manifest;
  } catch (error) {
    await removeBackup(archive, id).catch(() => undefined);
    throw error;
  }
}

/** The backup is complete, whatever becomes of this. */
async function remember({ rt, db, archive }: BackupDeps, manifest: Manifest, startedMs: number): Promise<void> {
  const entries = partsOf(manifest).flatMap(({ tables }) => Object.values(tables));
  try {
    // A backup is also made before the migration that brings the table.
    if (!(await hasBackupsTable(db))) return;
    await db.transaction((tx) =>
      recordBackup(tx, {
        backupId: manifest.id,
        location: archive.location,
        startedMs,
        finishedMs: rt.clock.now(),
        rowCount: entries.reduce((sum, { rows }) => sum + rows, 0),
        size: entries.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0),
      }),
    );
  } catch (error) {
    rt.log.warn({ backup: manifest.id, error: (error as Error).message }, 'backup.not_recorded');
  }
}

/** Removes the files of a backup, the manifest first: half of it is not a backup. */
export async function removeBackup(archive: Archive, id: string): Promise<void> {
  await archive.remove(`${id}/${MANIFEST}`);
  for (const name of await archive.list(id)) if (name !== BEGUN) await archive.remove(`${id}/${name}`);
  await archive.remove(`${id}/${BEGUN}`);
}

export interface DatabaseCopy extends BackupOptions {
  readonly id: string;
  /** Where its rows go. */
  readonly folder: string;
  /** Called when the moment has come of which the rows are; they are read when it returns. */
  readonly onStill?: () => Promise<void>;
}

/** Copies the rows of one database, as they are at one moment, and the bytes of media that they name. */
export async function copyDatabase(deps: BackupDeps, copy: DatabaseCopy): Promise<BackedUpRows> {
  const rows = await deps.db.aside((connection) => copyRows(deps, connection, copy));
  return { ...rows, media: await mediaOf(deps, rows.tables, copy) };
}

type Rows = Omit<BackedUpRows, 'media'>;

async function copyRows(
  { rt, archive }: BackupDeps,
  connection: Connection,
  { id, folder, fileBytes, onStill }: DatabaseCopy,
): Promise<Rows> {
  const expected = await listTables(connection);
  if (!expected.some(({ table }) => table === 'tenants'))
    throw new OperatorError('There is nothing to back up: the database has no tables of Postrider.');
  return connection.transaction(async (tx) => {
    await beginStill(tx, expected);
    const tables: Record<string, TableEntry> = {};
    const shapes = await listTables(tx);
    if (JSON.stringify(shapes) !== JSON.stringify(expected))
      throw new OperatorError('The schema was changed while the backup began. Run it again.');
    await onStill?.();
    for (const shape of shapes)
      tables[shape.table] = await writeTable(archive, folder, { ...shape, portions: readLines(tx, shape) }, fileBytes);
    return { ...(await factsOf(rt, tx, id)), tables };
  });
}

async function factsOf({ config }: Runtime, tx: Transaction, id: string): Promise<Pick<Rows, 'migrations' | 'keys'>> {
  const keys = keyEntries(await listKeyIds(tx), readKeys(config), id);
  return { migrations: await listApplied(tx), keys };
}

async function mediaOf(
  { rt, archive, store }: BackupDeps,
  tables: Manifest['tables'],
  { copyBucket }: BackupOptions,
): Promise<Manifest['media']> {
  const { mediaStore, s3Bucket, s3Prefix } = rt.config;
  const location = mediaStore === 's3' ? `s3://${s3Bucket}/${s3Prefix}` : null;
  if (location !== null && !copyBucket)
    return { store: mediaStore, copied: false, location, files: 0, bytes: 0, missing: [] };
  return { store: mediaStore, copied: true, location: null, ...(await copyMedia({ archive, store, tables })) };
}

async function writeJson(archive: Archive, name: string, value: object): Promise<void> {
  await archive.write(name, Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]));
}
