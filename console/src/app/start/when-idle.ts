/** Safari has no such callback; by then it has drawn what it was about to draw. */
const WITHOUT_IDLE_MS = 200;

/** Calls back once the browser has nothing better to do. @returns what calls it off */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, WITHOUT_IDLE_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work);
  return () => cancelIdleCallback(idle);
}
