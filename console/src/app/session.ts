/** How somebody signs in and out. */
import { PostriderError } from '@postrider/sdk';
import { call } from './api.ts';
import { forgetDevice } from './push/device.ts';
import { queryClient } from './queries.ts';
import { type Me, meQuery } from './resources.ts';
import { clearOutbox } from './stored-outbox.ts';

/** What somebody proves with who they are; a second factor comes beside it. */
export type Proof =
  | { readonly method: 'link'; readonly token: string }
  | { readonly method: 'password'; readonly email: string; readonly password: string };

/** Trades a proof for a session. @throws PostriderError */
export async function signIn(
  proof: Proof,
  more: { readonly code?: string; readonly remember?: boolean },
): Promise<void> {
  await openSession({ ...proof, ...more });
}

/** Switches to another tenant of the same person. The page reloads, so nothing of the previous tenant remains. */
export async function switchTenant(tenantId: string): Promise<void> {
  await openSession({ method: 'switch', tenant_id: tenantId });
  location.assign('/inbox');
}

/** Never repeated by itself: a refusal is shown at once, and each attempt counts against the limit. */
async function openSession(body: object): Promise<void> {
  const me = await call<Me>('/v1/sessions', { method: 'POST', body, maxRetries: 0 });
  // What was read as somebody else, or by an earlier session, is not theirs.
  queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, me);
}

/** What went wrong, as a sentence for people; null: no answer came. */
export function refusalSentence(error: unknown): string | null {
  if (!(error instanceof PostriderError) || error.status === null) return null;
  return error.details[0]?.message ?? error.message;
}

/** The stable code of a refusal; null: no answer came. */
export function refusalCode(error: unknown): string | null {
  return error instanceof PostriderError && error.status !== null ? error.code : null;
}

/** Ends the session. The page is loaded anew, so that nothing of it stays in memory. */
export async function signOut(): Promise<void> {
  await Promise.all([
    call('/v1/sessions/current', { method: 'DELETE' }).catch(() => undefined),
    clearOutbox().catch(() => undefined),
    forgetDevice().catch(() => undefined),
  ]);
  for (const name of Object.keys(localStorage)) if (name.startsWith('postrider.draft.')) localStorage.removeItem(name);
  location.assign('/sign-in');
}
