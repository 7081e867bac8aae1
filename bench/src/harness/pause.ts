/** A program that takes longer to start, to answer or to end hangs, even on the slowest machine. */
export const HANGS_AFTER_MS = 180_000;

/** Resolves after `ms` of real time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Poll<T> {
  /** What is waited for, for the error. */
  readonly what: string;
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Null: not yet. An error counts as "not yet" too, and is reported when the time is over. */
  readonly probe: () => Promise<T | null>;
}

/** Asks again and again until there is an answer. @throws Error when none came in time */
export async function pollUntil<T>({ what, everyMs, timeoutMs, probe }: Poll<T>): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  let last = '';
  while (performance.now() < endMs) {
    const found = await probe().catch((error: unknown) => {
      last = error instanceof Error ? ` (${error.message})` : '';
      return null;
    });
    if (found !== null) return found;
    await pause(everyMs);
  }
  throw new Error(`After ${timeoutMs / 1000} s: ${what}${last}.`);
}
