import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The wall clock of one process, which a run may set. */
export interface MachineClock {
  /** What the process is started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** @param offsetMs how far it is ahead of the clock of this machine; negative: behind */
  set(offsetMs: number): void;
}

const PRELOAD = fileURLToPath(new URL('./shifted-clock.cjs', import.meta.url));

/** @param file where the offset is kept; a process that is started again has it still */
export function makeMachineClock(file: string, offsetMs = 0): MachineClock {
  // Replaced as a whole: a reader gets the old one or the new one.
  const set = (next: number): void => {
    writeFileSync(`${file}.new`, String(next));
    renameSync(`${file}.new`, file);
  };
  set(offsetMs);
  return { set, settings: { NODE_OPTIONS: `--require ${PRELOAD}`, CLOCK_OFFSET_FILE: file } };
}
