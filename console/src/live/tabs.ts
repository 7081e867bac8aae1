/** What the tabs of one browser have in common. */

/** Reaches every other tab, in the order in which it is said. */
export interface TabChannel<M> {
  post(message: M): void;
  /** @returns what ends it */
  listen(take: (message: M) => void): () => void;
}

/** A lock that one tab of the browser has at a time; the browser gives up those of tabs that are gone. */
export interface TabLocks {
  /**
   * Waits for the lock. @param isStolen takes it from whoever has it
   * @returns the lock; null when the signal ended the wait
   */
  acquire(name: string, signal: AbortSignal, isStolen: boolean): Promise<TabLock | null>;
}

export interface TabLock {
  /** Aborted when another tab took the lock. */
  readonly lost: AbortSignal;
  release(): void;
}
