/** Holds what a page shows, and tells who listens when it changes. */
import { type Client, emptyClient, withState } from './client.ts';
import type { Snapshot } from './snapshot.ts';
import { pause } from './waits.ts';

export const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;

/** How long to wait before the next try of what has failed so often. */
export const retryMs = (failures: number): number => RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;

export class LiveStore {
  #snapshot: Snapshot = { client: emptyClient, line: 'connecting', caughtUp: 0, failed: new Set() };
  readonly #listeners = new Set<() => void>();
  readonly #followers = new Set<() => void>();
  readonly #end = new AbortController();

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get client(): Client {
    return this.#snapshot.client;
  }

  /** Aborted when the page stops. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  stop(): void {
    this.#end.abort();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back after each change of the client: there may be something to read or to send. */
  afterChange(follower: () => void): void {
    this.#followers.add(follower);
  }

  change(change: (client: Client) => Client): void {
    this.set({ client: change(this.client) });
    for (const follower of this.#followers) follower();
  }

  changeState(change: (state: Client['state']) => Client['state']): void {
    this.change((client) => withState(client, change(client.state)));
  }

  set(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }

  pause(ms: number): Promise<void> {
    return pause(ms, this.#end.signal);
  }
}
