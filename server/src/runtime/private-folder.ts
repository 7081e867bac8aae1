import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Everything that the service puts into its data folder. */
const OWN_NAMES = [
  /^embedded/,
  /^media$/,
  /^postrider\./,
  /^demo-api-key$/,
  /^encryption\.key/,
  /^database-mark\.json/,
];

/**
 * Makes the data folder for this user alone, or closes an existing one, with what older versions left open in it.
 * A folder that also holds what is not ours, such as /tmp, keeps its mode: then only our entries are closed.
 */
export function openPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  for (const path of exposedPaths(folder)) close(path);
}

/**
 * What other users of this machine could read or write, every folder after its content: after an interrupted walk the
 * next one finds the rest. A closed folder is not entered, since other users cannot enter it either.
 */
export function exposedPaths(folder: string): readonly string[] {
  const names = readdirSync(folder);
  const ours = names.filter((name) => OWN_NAMES.some((pattern) => pattern.test(name)));
  const within = ours.flatMap((name) => exposedIn(join(folder, name)));
  return ours.length === names.length && isExposed(statOf(folder)) ? [...within, folder] : within;
}

function exposedIn(path: string): readonly string[] {
  const stats = statOf(path);
  if (stats === null || !isExposed(stats)) return [];
  if (!stats.isDirectory()) return [path];
  return [...readdirSync(path).flatMap((name) => exposedIn(join(path, name))), path];
}

/** Null when it has disappeared in the meantime: a running server removes its lock and its socket. */
function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** The mode of a symbolic link means nothing, and its target is not ours to check. */
function isExposed(stats: Stats | null): boolean {
  return stats !== null && !stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0;
}

/** A folder of another owner cannot be closed, as a mounted volume often is; the doctor says so. */
function close(path: string): void {
  const mode = statOf(path)?.isDirectory() ? FOLDER_MODE : FILE_MODE;
  try {
    chmodSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}
