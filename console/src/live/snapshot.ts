import type { Client } from './client.ts';

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
