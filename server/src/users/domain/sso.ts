import type { AgentRole } from '#core/caller/permissions';
import type { AgentId, TenantId, UserId } from '#core/ids';
import type { SealedToken } from '#core/sealed-token';

/** What a group of the identity provider may do here. */
export interface GroupRole {
  readonly group: string;
  readonly role: AgentRole;
}

/** How the people of a tenant sign in at its identity provider. Times are milliseconds since 1970. */
export interface SsoConnection {
  readonly tenantId: TenantId;
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: SealedToken;
  /** Beside `openid`. */
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** The first whose group the person is in decides the role. Empty: roles are kept here. */
  readonly roles: readonly GroupRole[];
  /** Without such a group; null: such a person may not sign in. */
  readonly defaultRole: AgentRole | null;
  readonly allowNew: boolean;
  /** Whether there is no other way to sign in to the tenant, but for `breakGlassAgentId`. */
  readonly only: boolean;
  readonly breakGlassAgentId: AgentId | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Where a sign-in is under way: it ends within this, at the provider and here. */
export const SSO_STATE_MS = 10 * 60_000;

/** What an identity provider needs to know of a connection. */
export interface ProviderClient {
  readonly tenantId: TenantId;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Changes with every change of the connection. */
  readonly updatedMs: number;
}

/** What a browser carries between leaving for the provider and coming back. */
export interface SignInProof {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** What an identity provider says of a person, verified. */
export interface ProviderClaims {
  readonly issuer: string;
  readonly subject: string;
  /** The session at the provider; null: it names none. */
  readonly sid: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** Whose sessions a provider ends: of a person, or of one session of its own. */
export interface ProviderLogout {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
}

/** `unreachable`: no usable answer in time. `refused`: what came is not to be trusted, or the provider said no. */
export type ProviderFailure = 'unreachable' | 'refused';

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

/** What a provider says of itself. */
export interface ProviderDescription {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Null: it does not say. */
  readonly scopes: readonly string[] | null;
  readonly claims: readonly string[] | null;
  /** Whether it tells services that a sign-in is over. */
  readonly backChannelLogout: boolean;
}

/** Speaks with the identity providers of tenants. Each call ends within seconds. */
export interface IdentityProviders {
  /** Why there can be no issuer at an address, as the end of a sentence; null: there can. */
  issuerFault(issuer: string): string | null;
  /** Where the person signs in. @throws ProviderError */
  signInUrl(client: ProviderClient, proof: SignInProof, scopes: readonly string[]): Promise<string>;
  /**
   * Trades what the provider sent the browser back with for what it says of the person.
   * @param came the address that the browser came back to
   * @throws ProviderError
   */
  readPerson(
    client: ProviderClient,
    proof: SignInProof,
    came: { readonly url: URL; readonly groupsClaim: string },
  ): Promise<ProviderClaims>;
  /**
   * Asks what stands at an issuer, afresh, and for its keys.
   * @throws ProviderError
   */
  describe(tenantId: TenantId, issuer: string): Promise<ProviderDescription>;
  /** @throws ProviderError for what is no logout token for this client */
  readLogout(client: ProviderClient, token: string): Promise<ProviderLogout>;
}

/** An identity of a provider, and whose it is here. */
export interface UserIdentity {
  readonly tenantId: TenantId;
  readonly issuer: string;
  readonly subject: string;
  readonly userId: UserId;
}

/**
 * The role that a person's groups give; null: they may not sign in; undefined: groups decide nothing.
 */
export function roleOf(
  { roles, defaultRole }: Pick<SsoConnection, 'roles' | 'defaultRole'>,
  groups: readonly string[],
): AgentRole | null | undefined {
  if (roles.length === 0) return undefined;
  return roles.find(({ group }) => groups.includes(group))?.role ?? defaultRole;
}

/**
 * A place in the console to go back to, and no other site.
 * @returns null when it would leave the origin
 */
export function pathWithin(origin: string, returnTo: string): string | null {
  if (!returnTo.startsWith('/') || !URL.canParse(returnTo, origin)) return null;
  const url = new URL(returnTo, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : null;
}
