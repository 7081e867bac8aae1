/** A limit to how long something may take. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the time was over, and not the caller's signal. */
  isOver(): boolean;
  /** Stops the time; the caller's signal still counts. */
  pause(): void;
  /** Begins the time anew. */
  restart(): void;
  clear(): void;
}

/** Aborts after this time, or with the caller's signal. It must be cleared, so that nothing is left behind. */
export function deadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const expire = () => {
    isOver = true;
    controller.abort(new Error(`Nothing came for ${ms} ms.`));
  };
  const follow = () => controller.abort(outer?.reason);
  let timer = setTimeout(expire, ms);
  const pause = () => clearTimeout(timer);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    pause,
    restart: () => {
      pause();
      timer = setTimeout(expire, ms);
    },
    clear: () => {
      pause();
      outer?.removeEventListener('abort', follow);
    },
  };
}

/** Waits; rejects with the reason of the signal as soon as that is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** Rejects with the reason of the signal as soon as that is aborted, whatever becomes of the promise. */
export async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let end: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
