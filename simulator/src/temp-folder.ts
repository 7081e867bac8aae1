import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PART = 'part-';

/**
 * A folder for the files of one simulator, made when the first one is needed. Without a place of its own it is
 * temporary and removed at the end; in one, whole files stay for the next run.
 */
export class TempFolder {
  readonly #kept: string | null;
  #folder: string | null = null;
  #files = 0;

  constructor(kept: string | null = null) {
    this.#kept = kept;
  }

  /** A path that nothing uses yet. */
  newFile(): string {
    this.#files++;
    return this.path(`${PART}${this.#files}`);
  }

  /** The path of a file in the folder. */
  path(name: string): string {
    this.#folder ??= this.#make();
    return join(this.#folder, name);
  }

  /** Whole files that an earlier run may have left. */
  names(): readonly string[] {
    return this.#kept === null ? [] : readdirSync(this.path('.')).filter((name) => !name.startsWith(PART));
  }

  remove(): void {
    const folder = this.#folder;
    if (folder !== null) for (const path of this.#kept === null ? [folder] : partsIn(folder)) removeAll(path);
    this.#folder = null;
  }

  #make(): string {
    if (this.#kept === null) return mkdtempSync(join(tmpdir(), 'postrider-simulator-'));
    mkdirSync(this.#kept, { recursive: true });
    // Of uploads that a killed simulator was in the middle of.
    for (const path of partsIn(this.#kept)) removeAll(path);
    return this.#kept;
  }
}

function partsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(PART))
    .map((name) => join(folder, name));
}

function removeAll(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
