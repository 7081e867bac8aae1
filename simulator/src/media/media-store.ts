import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { TempFolder } from '../temp-folder.ts';

/** Media as the network keeps it. */
export type MediaItem = {
  readonly id: string;
  /** The number that uploaded or received it. */
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly origin: 'upload' | 'inbound';
  readonly mimeType: string;
  readonly fileName: string | null;
  readonly bytes: number;
  /** Hexadecimal digest. */
  readonly sha256: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

export type NewMedia = Pick<MediaItem, 'phoneNumberId' | 'wabaId' | 'origin' | 'mimeType' | 'fileName'>;

/** Bytes that lie in a file of the temporary folder. */
export type StoredBytes = { readonly file: string; readonly bytes: number; readonly sha256: string };

const DAY_MS = 24 * 3600 * 1000;
/** What is kept between two runs: the newest, so that a folder never grows without end. */
const MAX_KEPT_ITEMS = 10_000;
const MAX_KEPT_BYTES = 1024 ** 3;
const LIFETIME_MS: Readonly<Record<MediaItem['origin'], number>> = { upload: 30 * DAY_MS, inbound: 7 * DAY_MS };

/** Keeps media in files of a temporary folder; equal bytes lie there once. */
export class MediaStore {
  readonly #newId: () => string;
  readonly #items = new Map<string, MediaItem>();
  /** How many items use the file of a digest. */
  readonly #users = new Map<string, number>();
  readonly #folder: TempFolder;

  constructor(newId: () => string, folder: TempFolder) {
    this.#newId = newId;
    this.#folder = folder;
  }

  /** Writes bytes that are already in memory. */
  write(bytes: Buffer): StoredBytes {
    const file = this.#folder.newFile();
    writeFileSync(file, bytes);
    return { file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  /** Takes over the file and gives it an id. */
  add(media: NewMedia, stored: StoredBytes, nowMs: number): MediaItem {
    const users = this.#users.get(stored.sha256) ?? 0;
    if (users === 0) renameSync(stored.file, this.#pathOf(stored.sha256));
    else rmSync(stored.file, { force: true });
    this.#users.set(stored.sha256, users + 1);
    const item: MediaItem = {
      ...media,
      id: this.#newId(),
      bytes: stored.bytes,
      sha256: stored.sha256,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + LIFETIME_MS[media.origin],
    };
    this.#items.set(item.id, item);
    return item;
  }

  /** The media of an id, or null when it never was, was deleted or is past its lifetime. */
  find(id: string, nowMs: number): MediaItem | null {
    const item = this.#items.get(id);
    return item === undefined || nowMs >= item.expiresAtMs ? null : item;
  }

  /** The file with an item's bytes. */
  fileOf(item: MediaItem): string {
    return this.#pathOf(item.sha256);
  }

  remove(id: string): void {
    const item = this.#items.get(id);
    if (item === undefined) return;
    this.#items.delete(id);
    const users = (this.#users.get(item.sha256) ?? 1) - 1;
    if (users > 0) {
      this.#users.set(item.sha256, users);
      return;
    }
    this.#users.delete(item.sha256);
    rmSync(this.#pathOf(item.sha256), { force: true });
  }

  /** Everything that was not deleted, oldest first, also what is past its lifetime. */
  list(): readonly MediaItem[] {
    return [...this.#items.values()];
  }

  /** What is kept for the next run, oldest first. */
  dump(nowMs: number): readonly MediaItem[] {
    let bytes = 0;
    const newestFirst = this.list()
      .toReversed()
      .filter((item) => item.expiresAtMs > nowMs)
      .slice(0, MAX_KEPT_ITEMS)
      .filter((item) => {
        bytes += item.bytes;
        return bytes <= MAX_KEPT_BYTES;
      });
    return newestFirst.toReversed();
  }

  /** Takes over what an earlier run kept, as far as its bytes are there, and removes files that nothing names. */
  load(items: readonly MediaItem[]): void {
    for (const item of items) {
      if (!existsSync(this.#pathOf(item.sha256))) continue;
      this.#items.set(item.id, item);
      this.#users.set(item.sha256, (this.#users.get(item.sha256) ?? 0) + 1);
    }
    for (const name of this.#folder.names()) if (!this.#users.has(name)) rmSync(this.#pathOf(name), { force: true });
  }

  /** Forgets everything. */
  reset(): void {
    for (const sha256 of this.#users.keys()) rmSync(this.#pathOf(sha256), { force: true });
    this.#items.clear();
    this.#users.clear();
  }

  #pathOf(sha256: string): string {
    return this.#folder.path(sha256);
  }
}
