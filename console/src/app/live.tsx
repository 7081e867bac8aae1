import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Line, Snapshot } from '../live/snapshot.ts';
import type { LiveSync } from '../live/sync.ts';
import { eventFollower } from './follow-events.ts';
import { useMe } from './me.tsx';
import { type Begun, ownerOf, startLive } from './start/begin.ts';

const LiveContext = createContext<LiveSync | null>(null);

/** A live store that was started before anything was drawn. */
export const BegunContext = createContext<Begun | null>(null);

/** Runs the live store while somebody is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const owner = ownerOf(useMe());
  const begun = useContext(BegunContext);
  const [sync, setSync] = useState(() => usable(begun, owner));
  useEffect(() => {
    const started = usable(begun, owner) ?? startLive(owner);
    setSync(started);
    const hurry = () => started.hurry();
    const leave = () => started.leave();
    addEventListener('online', hurry);
    addEventListener('pagehide', leave);
    const follower = eventFollower(queries);
    started.onBegun(follower.begin);
    const stopListening = started.onEvents(follower.follow);
    return () => {
      removeEventListener('online', hurry);
      removeEventListener('pagehide', leave);
      stopListening();
      follower.stop();
      started.stop();
    };
  }, [queries, owner, begun]);
  return sync === null ? null : <LiveContext value={sync}>{children}</LiveContext>;
}

/** Null: it runs for somebody else, or has ended with the screens that it was for. */
function usable(begun: Begun | null, owner: string): LiveSync | null {
  return begun?.owner === owner && !begun.sync.isStopped ? begun.sync : null;
}

export function useLive(): LiveSync {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('The live store runs inside of LiveProvider alone.');
  return live;
}

export function useSnapshot(): Snapshot {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.snapshot);
}

/**
 * One part of the snapshot: the component is drawn again only when that part is another one.
 * @param select must answer with the same value as long as nothing about it changes
 */
export function useLiveValue<T>(select: (snapshot: Snapshot) => T): T {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, () => select(live.snapshot()));
}

/** How the line to the service is. */
export const useLine = (): Line => useLiveValue(({ line }) => line);

const TICK_MS = 15_000;

/** The time, renewed often enough for what is shown in minutes. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
