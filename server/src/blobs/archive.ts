import type { Readable } from 'node:stream';

/**
 * A place for whole files under names with slashes: a folder, or a prefix in a bucket. Unlike a blob store it can be listed, and
 * its names are given by those who write them.
 */
export interface Archive {
  /** As a person writes it. */
  readonly location: string;
  /**
   * Stores a stream with constant memory, as fast as the place takes it. Until all of it is stored, there is nothing under the name.
   * @throws ArchiveUnavailable; an error of the source is passed on
   */
  write(name: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null when there is no such file. @throws ArchiveUnavailable */
  read(name: string): Promise<Readable | null>;
  /** Null when there is no such file. @throws ArchiveUnavailable */
  size(name: string): Promise<number | null>;
  /** Names of the folders in the topmost one. */
  folders(): Promise<readonly string[]>;
  /** Names of all files below a folder, from that folder on: `list('a')` has `b/c` for the file `a/b/c`. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The place failed, or the way there; the message is meant for the operator. */
export class ArchiveUnavailable extends Error {
  override name = 'ArchiveUnavailable';

  constructor(location: string, cause: unknown) {
    super(`${location} cannot be used: ${(cause as Error).message.replace(/\.$/, '')}.`, { cause });
  }
}

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Names become file names and addresses, and some come from a manifest that somebody may have written. @throws Error for any other */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new Error(`"${name}" is not the name of a file in a backup.`);
  return name;
}
