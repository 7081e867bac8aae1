/** What the page of single sign-on asks and changes. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { call, refusalStatus } from '../../app/api.ts';
import type { Known } from '../../live/known.ts';

export const ROLES = ['agent', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export type SsoConnection = Known<Sdk.SsoConnection>;
export type GroupRole = SsoConnection['roles'][number];
export type SsoTest = Known<Sdk.SsoTest>;

type Written = 'issuer' | 'client_id' | 'scopes' | 'groups_claim' | 'roles' | 'default_role' | 'allow_new' | 'only';

/** What is written of a connection. Without a secret, the one that is stored stays. */
export type SsoFields = Pick<SsoConnection, Written | 'break_glass_agent_id'> &
  Pick<Sdk.SetSsoConnectionRequest, 'client_secret'>;

/** Null: the tenant has none. */
export const ssoQuery = queryOptions({
  queryKey: ['sso'],
  queryFn: async ({ signal }) => {
    try {
      return await call<SsoConnection>('/v1/sso-connection', { signal });
    } catch (error) {
      if (refusalStatus(error) === 404) return null;
      throw error;
    }
  },
});

export function saveSso(fields: SsoFields): Promise<SsoConnection> {
  return call<SsoConnection>('/v1/sso-connection', { method: 'PUT', body: fields });
}

export function removeSso(): Promise<unknown> {
  return call('/v1/sso-connection', { method: 'DELETE' });
}

export function testIssuer(issuer: string): Promise<SsoTest> {
  return call<SsoTest>('/v1/sso-connection/test', { method: 'POST', body: { issuer }, maxRetries: 0 });
}
