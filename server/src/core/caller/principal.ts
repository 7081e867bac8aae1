import type { AgentId, KeyId, TenantId } from '#core/ids';
import type { Network } from '#core/public-address';

/** Who calls. */
export interface Principal {
  readonly tenantId: TenantId;
  readonly keyId: KeyId;
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
  readonly suspension: string | null;
}

export interface Authenticator {
  /** Without a promise when the key is remembered: the hot path. Null: not a usable key. */
  authenticate(key: string): Principal | null | Promise<Principal | null>;
}
