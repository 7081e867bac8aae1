/** What a person changes of themselves, and of how they sign in. */
import type { ConfirmationMail, NewTotp, RecoveryCodes, Session, SessionList } from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { queryClient } from '../../app/queries.ts';
import { type Me, meQuery } from '../../app/resources.ts';
import type { Known } from '../../live/known.ts';

export type OpenSession = Session;

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await call<SessionList>('/v1/sessions', { signal })).data,
});

export async function saveProfile(change: { readonly name?: string; readonly email?: string }): Promise<void> {
  showMe(await call<Me>('/v1/me', { method: 'PATCH', body: change, maxRetries: 0 }));
}

/** Never retried automatically: each attempt sends a mail, and the link in an earlier one would stop working. */
export function sendConfirmation(): Promise<Known<ConfirmationMail>> {
  return call<Known<ConfirmationMail>>('/v1/me/email/confirmation', { method: 'POST', maxRetries: 0 });
}

export async function confirmEmail(token: string): Promise<void> {
  showMe(await call<Me>('/v1/me/email/confirmation', { method: 'PUT', body: { token }, maxRetries: 0 }));
}

/** @param current null: the person has signed in a moment ago */
export async function savePassword(next: string, current: string | null): Promise<void> {
  const body = { new_password: next, ...(current === null ? {} : { current_password: current }) };
  showMe(await call<Me>('/v1/me/password', { method: 'PUT', body, maxRetries: 0 }));
  await queryClient.invalidateQueries(sessionsQuery);
}

export function beginTotp(): Promise<NewTotp> {
  return call<NewTotp>('/v1/me/totp', { method: 'POST', maxRetries: 0 });
}

export async function confirmTotp(code: string): Promise<readonly string[]> {
  const body = { code };
  const { codes } = await call<RecoveryCodes>('/v1/me/totp/confirm', { method: 'POST', body, maxRetries: 0 });
  await readMeAgain();
  return codes;
}

export async function removeTotp(): Promise<void> {
  await call('/v1/me/totp', { method: 'DELETE' });
  await readMeAgain();
}

export async function renewRecoveryCodes(): Promise<readonly string[]> {
  const { codes } = await call<RecoveryCodes>('/v1/me/recovery-codes', { method: 'POST', maxRetries: 0 });
  await readMeAgain();
  return codes;
}

export async function endSessions(ids: readonly string[]): Promise<void> {
  // What has ended meanwhile is gone all the same.
  await Promise.allSettled(ids.map((id) => call(`/v1/sessions/${id}`, { method: 'DELETE' })));
  await queryClient.invalidateQueries(sessionsQuery);
}

const showMe = (me: Me): void => void queryClient.setQueryData(meQuery.queryKey, me);
const readMeAgain = (): Promise<void> => queryClient.invalidateQueries(meQuery);
