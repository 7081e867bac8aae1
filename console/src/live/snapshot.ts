import type { Client } from './client.ts';
import type { Command } from './commands.ts';

/** How the line to the service is. */
export type Line = 'connecting' | 'current' | 'catching_up' | 'offline' | 'signed_out';

export interface Snapshot {
  readonly client: Client;
  readonly line: Line;
  /** Events that came since the line was taken up again. */
  readonly caughtUp: number;
  /** Lists whose last read failed. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Whether a command waits for a line: for the one that is known to be gone, or because a try of it has missed one. A stream can stay
 * open, and silent, for long after the network is gone.
 */
export function waitsForLine({ progress, isRepeated }: Command, line: Line): boolean {
  return progress.at !== 'refused' && (line === 'offline' || isRepeated === true);
}
