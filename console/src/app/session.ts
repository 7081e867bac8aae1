/** How somebody signs in and out. */
import { call } from './api.ts';
import { queryClient } from './queries.ts';
import { type Me, meQuery } from './resources.ts';
import { clearOutbox } from './stored-outbox.ts';

/** Trades a one-time link for a session. @throws PostriderError */
export async function signInByLink(token: string): Promise<Me> {
  const me = await call<Me>('/v1/sessions', { method: 'POST', body: { method: 'link', token } });
  queryClient.setQueryData(meQuery.queryKey, me);
  return me;
}

/** Ends the session. The page is loaded anew, so that nothing of it stays in memory. */
export async function signOut(): Promise<void> {
  await Promise.all([
    call('/v1/sessions/current', { method: 'DELETE' }).catch(() => undefined),
    clearOutbox().catch(() => undefined),
  ]);
  for (const name of Object.keys(localStorage)) if (name.startsWith('postrider.draft.')) localStorage.removeItem(name);
  location.assign('/sign-in');
}
