import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyServer, type Programs } from './paths.ts';

/** One replacement in a file of the built server. */
export interface Patch {
  /** Relative to the server's folder. */
  readonly file: string;
  /** Must occur exactly once, else the patch no longer fits the server and says so. */
  readonly find: string;
  readonly replace: string;
}

/** A patch does not fit the server any more: the place moved, and the patch must follow it. */
export class PatchDoesNotFit extends Error {
  override name = 'PatchDoesNotFit';
}

/**
 * Copies the built server into `folder` and changes the copy.
 * @returns the programs with the changed server instead of the real one
 * @throws PatchDoesNotFit when a text to replace does not occur exactly once
 */
export function patchServer(programs: Programs, folder: string, patches: readonly Patch[]): Programs {
  const copied = copyServer(programs, folder);
  for (const { file, find, replace } of patches) {
    const path = join(copied.serverFolder, file);
    writeFileSync(path, patched(readFileSync(path, 'utf8'), { file, find, replace }));
  }
  return copied;
}

/** @throws PatchDoesNotFit */
export function patched(text: string, { file, find, replace }: Patch): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new PatchDoesNotFit(`"${find}" occurs ${parts.length - 1} times in ${file}, not once.`);
  return parts.join(replace);
}
