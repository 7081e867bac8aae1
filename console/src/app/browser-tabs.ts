/** What the browser offers to its tabs: locks, channels, and a database that they share. */
import type { TabChannel, TabLock, TabLocks } from '../live/tabs.ts';

/** Browsers offer locks to pages that were served securely, and to those of the machine itself. */
export const hasTabLocks = (): boolean => 'locks' in navigator && 'BroadcastChannel' in window;

/** @param scope whose tabs these are: those of another person who signs in are strangers */
export function tabChannel<M>(scope: string): TabChannel<M> & { readonly close: () => void } {
  const channel = new BroadcastChannel(`postrider ${scope}`);
  return {
    post: (message) => channel.postMessage(message),
    listen(take) {
      const listener = ({ data }: MessageEvent<M>) => take(data);
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
    close: () => channel.close(),
  };
}

export function tabLocks(scope: string): TabLocks {
  return {
    acquire: (name, signal, isStolen) =>
      new Promise((resolve) => {
        const lost = new AbortController();
        const hold = () => new Promise<void>((release) => resolve({ lost: lost.signal, release } satisfies TabLock));
        // A lock that is stolen cannot be waited for, and so the wait cannot be ended.
        const options = isStolen ? { steal: true } : { signal };
        navigator.locks.request(`postrider ${scope} ${name}`, options, hold).catch(() => {
          lost.abort();
          resolve(null);
        });
      }),
  };
}
