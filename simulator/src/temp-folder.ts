import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of one simulator: made when the first one is needed, removed as a whole at the end. */
export class TempFolder {
  #folder: string | null = null;
  #files = 0;

  /** A path that nothing uses yet. */
  newFile(): string {
    this.#files++;
    return this.path(`part-${this.#files}`);
  }

  /** The path of a file in the folder. */
  path(name: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'postrider-simulator-'));
    return join(this.#folder, name);
  }

  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }
}
