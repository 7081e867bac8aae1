import { ApiProblem } from '#core/errors';
import type { AgentId, KeyId, SessionId, TenantId, UserId } from '#core/ids';
import type { Network } from '#core/public-address';

/** A person who has signed in. */
export interface PersonSession {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  /** When the person last proved who they are, in milliseconds since 1970. */
  readonly signedInMs: number;
}

/** Why nothing of a tenant is answered, for now or for long. */
export type TenantRefusal =
  | { readonly code: 'tenant_suspended'; readonly sentence: string }
  | { readonly code: 'tenant_moving'; readonly sentence?: undefined };

/** The answer to a request of such a tenant. */
export function tenantProblem({ code, sentence }: TenantRefusal): ApiProblem {
  return new ApiProblem(code, sentence === undefined ? {} : { sentence });
}

/** Who calls: a program with an API key, or a person with a session. */
export interface Principal {
  readonly tenantId: TenantId;
  /** Null exactly for a session. */
  readonly keyId: KeyId | null;
  /** Null exactly for a key. */
  readonly session: PersonSession | null;
  readonly mode: 'live' | 'test';
  /** Empty: every scope. */
  readonly scopes: readonly string[];
  /** Requests per second; null: the configured default; 0: no limit. */
  readonly ratePerSecond: number | null;
  /** The agent that the key acts for; null: none in particular. */
  readonly agentId: AgentId | null;
  /** Addresses and networks that the key may be used from. Empty: any. */
  readonly allowedIps: readonly string[];
  /** The same of the key and of its tenant, each of which the address must be in. Empty: any address. */
  readonly networks: readonly (readonly Network[])[];
  /** The sending numbers that the key is limited to. Empty: all of the tenant. */
  readonly phoneNumberIds: readonly string[];
  /** Why its tenant is refused everything; null: it is active. */
  readonly refusal: TenantRefusal | null;
}

export interface Authenticator {
  /** Without a promise when the key, or the token of a session, is remembered: the hot path. Null: not a usable one. */
  authenticate(secret: string): Principal | null | Promise<Principal | null>;
}

/** The id of the key or of the session: what limits are counted by. */
export function credentialId({ keyId, session }: Pick<Principal, 'keyId' | 'session'>): KeyId | SessionId {
  const id = keyId ?? session?.sessionId;
  if (id === undefined) throw new Error('A caller has neither a key nor a session.');
  return id;
}
