/** Version of the layout of a backup. */
export const FORMAT = 1;
/** The same for one of an installation with cells: a program that does not know them must not take the main one for the whole. */
export const FORMAT_WITH_CELLS = 2;
export const MANIFEST = 'manifest.json';

/** A file of rows: compressed, one row per line. */
export interface RowFile {
  readonly name: string;
  readonly rows: number;
  /** As it is stored. */
  readonly bytes: number;
  readonly sha256: string;
}

/** A table as a backup has it. */
export interface TableEntry {
  /** Each line has their values in this order. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** Over all lines, in whichever order they are read. */
  readonly digest: string;
  /** Several when the table is large. */
  readonly files: readonly RowFile[];
}

/** A migration that the schema of a backup has. */
export interface MigrationEntry {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/** A key that the backup needs to be of use. */
export interface KeyEntry {
  readonly id: string;
  /** A known text, encrypted with it; null: whoever made the backup did not have the key. */
  readonly check: string | null;
}

/** The bytes of media, which the rows of `media_blobs` name. */
export interface MediaEntry {
  readonly store: 'disk' | 's3';
  /** False: they stay in the bucket, which is backed up by other means. */
  readonly copied: boolean;
  /** Where they are if they were not copied. */
  readonly location: string | null;
  readonly files: number;
  readonly bytes: number;
  /** Keys whose bytes were gone or damaged when the backup was made. */
  readonly missing: readonly string[];
}

/** The rows of a database at one moment, and what they need to be of use. */
export interface BackedUpRows {
  readonly migrations: readonly MigrationEntry[];
  readonly keys: readonly KeyEntry[];
  readonly tables: Readonly<Record<string, TableEntry>>;
  readonly media: MediaEntry;
}

/** A cell that was added, as a backup has it. */
export interface CellEntry extends BackedUpRows {
  readonly cellId: string;
  /** Its schema; null: as its server resolved names. */
  readonly schema: string | null;
  /** Whether it was on another server than the main cell. Its address, which may hold a password, is not in the backup. */
  readonly hasOwnServer: boolean;
  /** Everything that was committed in the cell before this is in the backup. */
  readonly startedAt: string;
}

/** What a backup says of itself. Written last: what has none is not a backup. */
export interface Manifest extends BackedUpRows {
  readonly format: number;
  readonly id: string;
  /** Of the program that made it. */
  readonly version: string;
  readonly database: 'postgres' | 'pglite';
  /** Everything that was committed before this is in the backup. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** The cells besides the main one, whose rows are those of the manifest itself. Absent: the installation had no other. */
  readonly cells?: readonly CellEntry[];
}

const ID = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** @param random eight or more hexadecimal digits. @returns an id that sorts by time */
export function backupId(nowMs: number, random: string): string {
  return `${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}-${random.slice(0, 6)}`;
}

export function isBackupId(text: string): boolean {
  return ID.test(text);
}

/** When a backup was begun, by its id. */
export function begunMs(id: string): number {
  return Date.parse(id.slice(0, 16).replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
}

/** The version of the schema that the rows have. */
export function schemaVersion({ migrations }: Pick<Manifest, 'migrations'>): number {
  return migrations.at(-1)?.version ?? 0;
}

/** A backup as one of each database: the main one first, then those of the cells in their order. */
export function partsOf({ cells = [], ...main }: Manifest): readonly Manifest[] {
  const ofCells = cells.map(({ migrations, keys, tables, media, startedAt }) => ({
    ...main,
    ...{ migrations, keys, tables, media, startedAt },
  }));
  return [main, ...ofCells];
}

/** Where the bytes of a blob are: all backups of one location share them. */
export function mediaName(key: string): string {
  return `media/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`;
}

/** A backup that cannot be used; the message is meant for the operator. */
export class BackupUnusable extends Error {
  override name = 'BackupUnusable';
}

/** @throws BackupUnusable when it is no manifest, or one of a format that is newer than this program */
export function parseManifest(text: string, id: string): Manifest {
  const manifest = parsed(text);
  if (typeof manifest?.format !== 'number' || manifest.id !== id || typeof manifest.tables !== 'object')
    throw new BackupUnusable(`The manifest of the backup ${id} is damaged.`);
  if (manifest.format > FORMAT_WITH_CELLS)
    throw new BackupUnusable(
      `The backup ${id} was made by a newer program (${manifest.version}), in a format that this one does not know. Use the newer program.`,
    );
  return manifest;
}

function parsed(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return null;
  }
}
