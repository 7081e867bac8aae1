import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder, and what must be ended before it is deleted; ended in reverse order. */
export interface Workspace {
  readonly folder: string;
  /** Registers what ends something. */
  onClose(end: () => Promise<void> | void): void;
  /** From now on `close` keeps the folder with its logs for inspection. */
  retain(): void;
  close(): Promise<void>;
}

/** @param keep retains the folder from the start */
export function makeWorkspace(keep = false): Workspace {
  let kept = keep;
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-'));
  const remove = (): void => {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const ends: (() => Promise<void> | void)[] = [];
  return {
    folder,
    onClose: (end) => void ends.push(end),
    retain: () => {
      kept = true;
    },
    close: async () => {
      for (const end of ends.splice(0).reverse()) await Promise.resolve(end()).catch(() => undefined);
      process.removeListener('exit', remove);
      remove();
    },
  };
}
