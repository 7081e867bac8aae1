import type { Readable } from 'node:stream';

/** The first and the last byte, both included, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Bytes that have arrived completely and have no owner yet. Either `keep` or `discard` ends them. */
export interface StagedBlob {
  /** 64 lower-case hex digits over all bytes. */
  readonly sha256: string;
  readonly size: number;
  /** The first bytes, from which their type is detected; all of them when there are fewer than HEAD_BYTES. */
  readonly head: Uint8Array;
  /**
   * Makes the bytes durable under `key`, replacing identical ones. If the process is killed before the end, the key
   * does not exist.
   * @throws BlobStoreUnavailable
   */
  keep(key: string): Promise<void>;
  /** Removes what has arrived. Does nothing after `keep`. */
  discard(): Promise<void>;
}

/**
 * Stores bytes without knowing whose they are. A key always names the same content: a key is never reused for other
 * bytes. Safe for several processes that share the same location.
 */
export interface BlobStore {
  /**
   * Stores a stream with constant memory, and hashes it on the way.
   * @throws BlobTooLarge as soon as there are more than `maxBytes`; nothing of them is kept
   * @throws BlobStoreUnavailable when it cannot be written; an error of the source is passed on
   */
  receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>;
  /**
   * The bytes under a key, or a range of them that lies inside; null when there are none.
   * @throws BlobStoreUnavailable
   */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The number of bytes under a key; null when there are none. */
  size(key: string): Promise<number | null>;
  /** Removes the bytes under a key, if any. */
  remove(key: string): Promise<void>;
  /**
   * Removes what killed uploads left behind.
   * @param idleMs only what nobody has written to for so long
   * @returns how many were removed
   */
  sweep(idleMs: number): Promise<number>;
  close(): Promise<void>;
}

/** Enough to recognise every type that the sniffer knows. */
export const HEAD_BYTES = 64 * 1024;

/** More bytes than allowed; none of them was kept. */
export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge';
}

/** The store failed: its disk, its bucket, or the way there. */
export class BlobStoreUnavailable extends Error {
  override name = 'BlobStoreUnavailable';
}

const KEY = /^[a-z0-9][a-z0-9.-]{7,199}$/;

/**
 * Keys become file names and addresses, so they are checked where they enter.
 * @throws Error for a key that no part of ours makes
 */
export function checkKey(key: string): string {
  if (!KEY.test(key) || key.includes('..')) throw new Error(`"${key}" is not a key of the blob store.`);
  return key;
}
