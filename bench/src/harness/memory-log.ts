import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The memory of a process at a moment. */
export interface MemorySample {
  /** Monotonic, of the process itself. */
  readonly atMs: number;
  /** Resident, with all threads: an embedded database too. */
  readonly residentMb: number;
  /** What is referred to on the heap of the main thread after a full collection, with its buffers. */
  readonly liveMb: number;
}

/** What a process reports of its memory. */
export interface MemoryLog {
  /** What the process is started with. */
  readonly settings: Readonly<Record<string, string>>;
  read(): readonly MemorySample[];
}

const PRELOAD = fileURLToPath(new URL('./memory-log.cjs', import.meta.url));

export function makeMemoryLog(file: string, everyMs: number): MemoryLog {
  return {
    settings: { NODE_OPTIONS: `--require ${PRELOAD}`, MEMORY_LOG_FILE: file, MEMORY_LOG_MS: String(everyMs) },
    read: () => (existsSync(file) ? parse(readFileSync(file, 'utf8')) : []),
  };
}

function parse(text: string): readonly MemorySample[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as MemorySample);
}
