/** Passkeys of the person, and signing in with one. What talks to the browser's authenticators is loaded when it is needed. */
import type { Passkey, PasskeyList } from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import { queryClient } from '../queries.ts';
import { type Me, meQuery } from '../resources.ts';

/** What the service wants signed; its shape is WebAuthn's. */
interface Challenge {
  readonly options: never;
}

/** Whether this browser can have passkeys at all. */
export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** The person closed the browser's dialog, or nothing in it fitted. */
export class NoPasskeyUsed extends Error {}

const load = () => import('@simplewebauthn/browser');

async function askBrowser<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new NoPasskeyUsed('The browser gave no passkey.', { cause });
  }
}

/** Signs in with a passkey that the person chooses. @throws PostriderError, NoPasskeyUsed */
export async function signInWithPasskey(): Promise<Me> {
  const { startAuthentication } = await load();
  const { options } = await call<Challenge>('/v1/passkeys/challenge', { method: 'POST', body: {} });
  const credential = await askBrowser(() => startAuthentication({ optionsJSON: options }));
  const me = await call<Me>('/v1/passkeys/sessions', { method: 'POST', body: { credential } });
  queryClient.setQueryData(meQuery.queryKey, me);
  return me;
}

/** Lets an authenticator of the person make a passkey. @throws PostriderError, NoPasskeyUsed */
export async function addPasskey(name: string): Promise<Passkey> {
  const { startRegistration } = await load();
  const { options } = await call<Challenge>('/v1/me/passkeys/challenge', { method: 'POST', body: {} });
  const credential = await askBrowser(() => startRegistration({ optionsJSON: options }));
  return call<Passkey>('/v1/me/passkeys', { method: 'POST', body: { name, credential } });
}

export const renamePasskey = (id: string, name: string): Promise<Passkey> =>
  call<Passkey>(`/v1/me/passkeys/${id}`, { method: 'PATCH', body: { name } });

export const removePasskey = (id: string): Promise<unknown> => call(`/v1/me/passkeys/${id}`, { method: 'DELETE' });

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await call<PasskeyList>('/v1/me/passkeys', { signal })).data,
});
