/** What the page of single sign-on asks and changes. */
import { queryOptions } from '@tanstack/react-query';
import { call, refusalStatus } from '../../app/api.ts';

export const ROLES = ['agent', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export interface GroupRole {
  readonly group: string;
  readonly role: Role;
}

/** What is written of a connection. */
export interface SsoFields {
  readonly issuer: string;
  readonly client_id: string;
  /** Absent: the one that is stored stays. */
  readonly client_secret?: string;
  readonly scopes: readonly string[];
  readonly groups_claim: string;
  readonly roles: readonly GroupRole[];
  readonly default_role: Role | null;
  readonly allow_new: boolean;
  readonly only: boolean;
  readonly break_glass_agent_id: string | null;
}

export interface SsoConnection extends Omit<SsoFields, 'client_secret'> {
  readonly start_url: string;
  readonly callback_url: string;
  readonly logout_url: string;
}

export interface SsoTest {
  readonly ok: boolean;
  readonly problem: 'unreachable' | 'refused' | null;
  readonly authorization_endpoint: string | null;
  readonly claims_supported: readonly string[] | null;
  readonly back_channel_logout: boolean;
}

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
