/**
 * Gets ready what the inbox shows first, before anything is drawn: on a slow machine a skeleton that is gone with the next
 * frame costs as much as the list.
 */
import type { LiveList } from '../../live/source.ts';
import { LiveSync } from '../../live/sync.ts';
import { liveSource } from '../live-source.ts';
import { queryClient } from '../queries.ts';
import { type Me, meQuery } from '../resources.ts';
import { storedOutbox } from '../stored-outbox.ts';
import { viewsFor } from '../views.ts';
import { early, ME } from './early-reads.ts';

/** What is not there by then is waited for on the screen. */
const PATIENCE_MS = 150;

/** A live store that runs already. */
export interface Begun {
  readonly owner: string;
  readonly sync: LiveSync;
}

/** Whose tabs share a stream and a line of commands. */
export const ownerOf = ({ tenant, agent }: Pick<Me, 'tenant' | 'agent'>): string => `${tenant.id} ${agent?.id}`;

/** Starts the live store of a person. */
export function startLive(owner: string): LiveSync {
  const sync = new LiveSync(liveSource(owner), storedOutbox(owner));
  void sync.start();
  return sync;
}

/**
 * Takes over what the page has asked for already. @returns the live store, once it has the list of the view or has waited
 * long enough; null: nothing was asked for, or it is not known yet who is signed in
 */
export async function beginInbox({ search }: Pick<Location, 'search'>): Promise<Begun | null> {
  const answer = early.asked.get(ME)?.answer;
  if (answer === undefined) return null;
  const isLate = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  const isSignedIn = await Promise.race([answer.then(({ ok }) => ok).catch(() => false), isLate]);
  if (!isSignedIn) return null;
  const me = await Promise.race([queryClient.fetchQuery(meQuery).catch(() => null), isLate]);
  if (me === null) return null;
  const owner = ownerOf(me);
  const sync = startLive(owner);
  const name = new URLSearchParams(search).get('view') ?? 'open';
  const view = viewsFor(me.agent?.id ?? null).find((one) => one.name === name);
  if (view !== undefined) await Promise.race([listOf(sync, view.list), isLate]);
  return { owner, sync };
}

function listOf(sync: LiveSync, list: LiveList): Promise<void> {
  sync.watch(list);
  return new Promise((resolve) => {
    const stop = sync.subscribe(() => {
      if (!sync.snapshot().client.state.lists.has(list.name)) return;
      stop();
      resolve();
    });
  });
}
