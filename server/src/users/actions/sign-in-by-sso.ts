import { createHash } from 'node:crypto';
import { audit } from '#access/actions/audit';
import { SERVICE } from '#access/domain/audit';
import type { Origin } from '#core/caller/origin';
import { isUuid, type TenantId, type UserId } from '#core/ids';
import type { Database } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import {
  type IdentityProviders,
  type ProviderClaims,
  type ProviderClient,
  roleOf,
  type SignInProof,
  SSO_STATE_MS,
  type SsoConnection,
} from '#users/domain/sso';
import type { Membership } from '#users/domain/user';
import { findSsoConnection } from '#users/store/sso-connections';
import {
  endSessionsByProvider,
  findIdentity,
  insertSsoSession,
  insertSsoState,
  saveIdentity,
  takeSsoState,
} from '#users/store/sso-sign-ins';
import { listMemberships } from '#users/store/users';
import { hashToken, makeToken } from './authenticate-session.ts';
import { openSession, type SignedIn, type SignInFrom } from './open-session.ts';
import { publicOrigin } from './sign-in.ts';
import { addSsoPerson, followGroups } from './sso-people.ts';
import { providerClientOf } from './sso-secrets.ts';

/** What signing in at a provider works with. */
export interface SsoDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly providers: IdentityProviders;
}

/** Why a person did not get in, for the page that says so. */
export type SsoProblem = 'expired' | 'unknown' | 'no_role' | 'taken' | 'unavailable';

export class SsoRefused extends Error {
  override name = 'SsoRefused';
  readonly problem: SsoProblem;
  /** Null: it is not known which tenant it was about. */
  readonly tenantId: TenantId | null;

  constructor(problem: SsoProblem, tenantId: TenantId | null) {
    super(`Single sign-on failed: ${problem}.`);
    this.problem = problem;
    this.tenantId = tenantId;
  }
}

/** Where the provider sends browsers back to, for all connections. */
export function ssoCallbackUrl(rt: Pick<Runtime, 'config'>): string {
  return `${publicOrigin(rt.config)}/v1/sso/callback`;
}

/** A browser that leaves for a provider: where to, and what it must bring back. */
export interface SsoStart {
  readonly url: string;
  /** For a cookie that no page can read. */
  readonly secret: string;
}

/**
 * Begins to sign somebody in at the provider of a tenant.
 * @param userId who connects the identity to what they are here; null: somebody signs in
 * @throws SsoRefused without a connection; ProviderError
 */
export async function beginSso(
  { rt, db, keyring, providers }: SsoDeps,
  {
    tenantId,
    userId,
    returnTo,
  }: { readonly tenantId: TenantId; readonly userId: UserId | null; readonly returnTo: string },
): Promise<SsoStart> {
  const { connection, client } = await requireConnection({ db, keyring }, tenantId);
  const secret = makeToken();
  const proof = proofOf(rt, tenantId, secret);
  const url = await providers.signInUrl(client, proof, connection.scopes);
  const expiresMs = rt.clock.now() + SSO_STATE_MS;
  await insertSsoState(db, { tenantId, stateHash: hashToken(proof.state), userId, returnTo, expiresMs });
  return { url, secret };
}

async function requireConnection(
  { db, keyring }: Pick<SsoDeps, 'db' | 'keyring'>,
  tenantId: TenantId,
): Promise<{ readonly connection: SsoConnection; readonly client: ProviderClient }> {
  const connection = await findSsoConnection(db, tenantId);
  const client = connection === null ? null : providerClientOf(keyring, connection);
  if (connection === null || client === null) throw new SsoRefused('unavailable', tenantId);
  return { connection, client };
}

/** All follow from the secret, which the browser alone holds: the database has nothing that a sign-in could be finished with. */
function proofOf(rt: Pick<Runtime, 'config'>, tenantId: TenantId, secret: string): SignInProof {
  const derive = (purpose: string) => createHash('sha256').update(`${purpose} ${secret}`).digest('base64url');
  return {
    redirectUri: ssoCallbackUrl(rt),
    state: `${tenantId}.${derive('state')}`,
    nonce: derive('nonce'),
    codeVerifier: derive('code verifier'),
  };
}

/** A browser that comes back from a provider. */
export interface SsoReturn {
  /** Query of the address that it came to. */
  readonly query: URLSearchParams;
  /** Of the cookie; null: it brought none. */
  readonly secret: string | null;
  readonly from: SignInFrom;
}

/**
 * Signs in the person whom the provider sent back, in the tenant of the connection.
 * @returns the session, and where in the console the person wanted to go
 * @throws SsoRefused, ProviderError
 */
export async function finishSso(deps: SsoDeps, came: SsoReturn): Promise<SignedIn & { readonly returnTo: string }> {
  const { rt, db, keyring, providers } = deps;
  const state = came.query.get('state') ?? '';
  const [tenantId = ''] = state.split('.');
  if (came.secret === null || !isUuid(tenantId)) throw new SsoRefused('expired', null);
  const tenant = tenantId as TenantId;
  const proof = proofOf(rt, tenant, came.secret);
  const isOfBrowser = proof.state === state;
  const taken = isOfBrowser
    ? await takeSsoState(db, { tenantId: tenant, stateHash: hashToken(state) }, rt.clock.now())
    : null;
  if (taken === null) throw new SsoRefused('expired', isOfBrowser ? tenant : null);
  const { connection, client } = await requireConnection({ db, keyring }, tenant);
  const url = new URL(`${proof.redirectUri}?${came.query}`);
  const claims = await providers.readPerson(client, proof, { url, groupsClaim: connection.groupsClaim });
  const origin: Origin = { ...SERVICE, requestId: came.from.requestId, address: came.from.address };
  const signedIn = await enter(deps, { connection, claims, origin, linkTo: taken.userId, from: came.from });
  return { ...signedIn, returnTo: taken.returnTo };
}

interface Entry {
  readonly connection: SsoConnection;
  readonly claims: ProviderClaims;
  readonly origin: Origin;
  /** Who connects the identity to what they are here; null: somebody signs in. */
  readonly linkTo: UserId | null;
  readonly from: SignInFrom;
}

async function enter({ rt, db }: SsoDeps, { connection, claims, origin, linkTo, from }: Entry): Promise<SignedIn> {
  const { tenantId } = connection;
  const { issuer, subject, sid } = claims;
  const byGroups = roleOf(connection, claims.groups);
  if (byGroups === null) throw new SsoRefused('no_role', tenantId);
  if (linkTo === null && connection.allowNew) {
    const known = await findIdentity(db, { tenantId, issuer, subject });
    const role = byGroups ?? connection.defaultRole ?? 'agent';
    if (known === null) await addSsoPerson(rt, db, { tenantId, origin, role, claims });
  }
  const userId = linkTo ?? (await findIdentity(db, { tenantId, issuer, subject }))?.userId ?? null;
  const membership = userId === null ? null : await membershipIn(db, userId, tenantId);
  if (userId === null || membership === null) throw new SsoRefused('unknown', tenantId);
  const isBreakGlass = membership.agentId === connection.breakGlassAgentId;
  if (byGroups !== undefined && !isBreakGlass) await followGroups(rt, db, { membership, origin, role: byGroups });
  return db.transaction(async (tx) => {
    const identity = { tenantId, issuer, subject, userId };
    if (!(await saveIdentity(tx, identity, rt.clock.now()))) throw new SsoRefused('taken', tenantId);
    const current = await membershipIn(tx, userId, tenantId);
    if (current === null) throw new SsoRefused('unknown', tenantId);
    const signedIn = await openSession(rt, tx, { userId, membership: current, remember: false, from, method: 'sso' });
    await insertSsoSession(tx, signedIn.session, sid);
    return signedIn;
  });
}

async function membershipIn(
  db: Parameters<typeof listMemberships>[0],
  userId: UserId,
  tenantId: TenantId,
): Promise<Membership | null> {
  return (await listMemberships(db, userId)).find((one) => one.tenantId === tenantId) ?? null;
}

type LogoutFrom = Pick<Origin, 'requestId' | 'address'>;

/**
 * Ends the sessions of a person of whom the provider says that they signed out, or may no longer sign in, everywhere within 2 s.
 * @param token logout token (OpenID Connect Back-Channel Logout 1.0)
 * @returns how many sessions were open
 * @throws SsoRefused without a connection; ProviderError for a token that is none
 */
export async function endByProvider(
  { rt, db, keyring, providers }: SsoDeps,
  { tenantId, token, ...from }: { readonly tenantId: TenantId; readonly token: string } & LogoutFrom,
): Promise<number> {
  const { client } = await requireConnection({ db, keyring }, tenantId);
  const logout = await providers.readLogout(client, token);
  const origin: Origin = { ...SERVICE, ...from };
  return db.transaction(async (tx) => {
    const ended = await endSessionsByProvider(tx, tenantId, logout, rt.clock.now());
    for (const { agentId } of ended) {
      const details = { by: 'identity_provider' };
      await audit(rt, tx, { tenantId, origin, action: 'session.ended', targetId: agentId, details });
    }
    return ended.length;
  });
}
