import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes files that nobody has written to for `idleMs`. What is compared are times of the disk alone, of a new file
 * and of each other: ours may be far from them when a clock is corrected, or when the disk is another machine's.
 * @returns how many
 */
export async function sweepFolder(folder: string, idleMs: number): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return 0;
  const nowMs = await timeOfDisk(folder);
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null || nowMs === null || nowMs - found.mtimeMs <= idleMs) continue;
    const isGone = await rm(path, { force: true }).then(
      () => true,
      () => false,
    );
    if (isGone) removed += 1;
  }
  return removed;
}

/** @returns null when nothing can be written: the next round sweeps */
async function timeOfDisk(folder: string): Promise<number | null> {
  const path = join(folder, `now-${randomUUID()}`);
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return (await stat(path)).mtimeMs;
  } catch {
    return null;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
