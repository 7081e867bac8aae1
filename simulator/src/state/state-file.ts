import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Timers } from '../clock.ts';

/** A change is on disk after about this long. */
const WRITE_AFTER_MS = 1_000;
/** A state that takes long to write is written less often: this share of the time at most goes into it. */
const PAUSE_PER_WRITE = 20;

type Parts = {
  readonly timers: Timers;
  /** Whether the state stays as it is while nobody asks for anything. */
  readonly isAtRest: () => boolean;
  /** The state as text. */
  readonly take: () => string;
  /** One line for the operator. */
  readonly complain: (line: string) => void;
};

/**
 * The file that the state of a simulator is kept in, a moment behind. It is replaced as a whole, so that a crash leaves
 * the one of before or the one of after.
 */
export class StateFile {
  readonly path: string;
  readonly #parts: Parts;
  #scheduled = false;
  #writing = false;
  #changedMeanwhile = false;
  #pauseMs = WRITE_AFTER_MS;
  #closed = false;
  /** Whether the file lacks something. */
  #isBehind = false;

  /** @param folder made when it is missing; for its owner only */
  constructor(folder: string, parts: Parts) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.path = join(folder, 'state.json');
    this.#parts = parts;
  }

  /** What an earlier run kept; null without one. @throws what reading the file throws */
  read(): string | null {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Moves a file that cannot be used out of the way. @returns where it is now */
  setAside(nowMs: number): string {
    const aside = `${this.path}.damaged-${new Date(nowMs).toISOString().replaceAll(':', '')}`;
    renameSync(this.path, aside);
    return aside;
  }

  /** Something may have changed: it is written soon. */
  changed(): void {
    if (this.#closed) return;
    this.#isBehind = true;
    if (this.#writing) {
      this.#changedMeanwhile = true;
      return;
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#parts.timers.after(this.#pauseMs, () => {
      this.#scheduled = false;
      void this.#write();
    });
  }

  /** Writes what has changed, if anything has, and no more from then on. */
  close(): void {
    this.#closed = true;
    if (!this.#isBehind) return;
    try {
      const file = openSync(this.#next, 'w', 0o600);
      writeFileSync(file, this.#parts.take());
      fsyncSync(file);
      closeSync(file);
      renameSync(this.#next, this.path);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #write(): Promise<void> {
    this.#writing = true;
    const startMs = performance.now();
    try {
      const text = this.#parts.take();
      this.#isBehind = !this.#parts.isAtRest();
      const takenMs = performance.now() - startMs;
      const file = await open(this.#draft, 'w', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      // What close() has written meanwhile is newer; nothing may come between the question and the answer.
      if (this.#closed) rmSync(this.#draft, { force: true });
      else renameSync(this.#draft, this.path);
      this.#pauseMs = Math.max(WRITE_AFTER_MS, takenMs * PAUSE_PER_WRITE);
    } catch (error) {
      this.#isBehind = true;
      this.#failed(error);
    }
    this.#writing = false;
    if (!this.#changedMeanwhile) return;
    this.#changedMeanwhile = false;
    this.changed();
  }

  get #draft(): string {
    return `${this.path}.draft`;
  }

  get #next(): string {
    return `${this.path}.next`;
  }

  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#parts.complain(`The simulator's state cannot be written: ${reason}. After a restart it is as it was before.`);
  }
}
