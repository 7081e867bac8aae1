import { statfsSync } from 'node:fs';

/** Bytes that this user can still write to the file system of a folder; infinite when the system does not say. */
export function freeBytesAt(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
