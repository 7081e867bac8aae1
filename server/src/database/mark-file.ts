import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'database-mark.json';

/** The furthest place in the history of a database that a process knew of. */
export interface RememberedMark {
  readonly server: string;
  readonly historyId: number;
  readonly mark: number;
}

/** What was remembered of this server in the data folder; null: nothing that can be read. */
export function readMarkFile(dataDir: string, server: string): RememberedMark | null {
  try {
    const found = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<RememberedMark> | null;
    const { historyId, mark } = found ?? {};
    if (found?.server !== server || !Number.isSafeInteger(historyId) || !Number.isSafeInteger(mark)) return null;
    return { server, historyId: Number(historyId), mark: Number(mark) };
  } catch {
    return null;
  }
}

/** Beside the embedded database, not in it: a copy of that which is put back does not bring its own mark. @throws Error of the file system */
export function writeMarkFile(dataDir: string, remembered: RememberedMark): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE);
  writeFileSync(`${path}.new`, JSON.stringify(remembered), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
