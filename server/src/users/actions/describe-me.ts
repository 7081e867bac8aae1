import { rolePermissions } from '#core/caller/permissions';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { networkIsSimulated } from '#runtime/simulated';
import { endsMs, type Membership, type Session, type User } from '#users/domain/user';
import type { WaysIn } from '#users/domain/ways-in';
import { readWaysIn } from '#users/store/credentials';
import { findSession } from '#users/store/sessions';
import { findOwnSso, type OwnSso } from '#users/store/sso-connections';
import { changeUser, findUser, listMemberships, type UserInput } from '#users/store/users';
import { ssoStartUrl } from './sign-in.ts';

/** A person who is signed in, as the API shows them. */
export interface Me {
  readonly user: User;
  readonly membership: Membership;
  readonly memberships: readonly Membership[];
  readonly session: Session;
  readonly waysIn: WaysIn;
  /** Null: the tenant has no single sign-on. */
  readonly sso: OwnSso | null;
}

/**
 * Reads who is signed in.
 * @throws ApiProblem not_signed_in when the session ended, or the person lost their agent, a moment ago
 */
export async function readMe(
  db: Database,
  { tenantId, userId, sessionId }: Pick<Session, 'tenantId' | 'userId' | 'sessionId'>,
): Promise<Me> {
  const [user, memberships, found, waysIn, sso] = await Promise.all([
    findUser(db, userId),
    listMemberships(db, userId),
    findSession(db, tenantId, sessionId),
    readWaysIn(db, userId),
    findOwnSso(db, tenantId, userId),
  ]);
  const membership = memberships.find((one) => one.tenantId === tenantId);
  if (user === null || membership === undefined || found === null) throw new ApiProblem('not_signed_in');
  return { user, membership, memberships, session: found, waysIn, sso };
}

/** Changes the name or the preferences of a person, for all their tenants. */
export async function changeMe(
  rt: Runtime,
  db: Database,
  person: Pick<Session, 'tenantId' | 'userId' | 'sessionId'>,
  input: UserInput,
): Promise<Me> {
  await changeUser(db, person.userId, input, rt.clock.now());
  return readMe(db, person);
}

/** @param version of the service */
export function presentMe({ config }: Runtime, version: string, me: Me): JsonObject {
  const { user, membership, memberships, session, waysIn, sso } = me;
  return {
    user: {
      id: user.userId,
      name: user.name,
      email: user.email,
      email_confirmed_at: user.emailConfirmedMs === null ? null : timeOf(user.emailConfirmedMs),
    },
    agent: { id: membership.agentId, name: membership.agentName, role: membership.role },
    tenant: { id: membership.tenantId, name: membership.tenantName },
    tenants: memberships.map(({ tenantId, tenantName, agentId, role }) => {
      return { id: tenantId, name: tenantName, agent_id: agentId, role };
    }),
    sign_in: {
      password: waysIn.password,
      totp: waysIn.totp,
      recovery_codes: waysIn.recoveryCodes,
      passkeys: waysIn.passkeys,
      single_sign_on:
        sso === null ? null : { connected: sso.connected, start_url: ssoStartUrl(config, session.tenantId) },
    },
    permissions: [...rolePermissions[membership.role]],
    session: {
      id: session.sessionId,
      created_at: timeOf(session.createdMs),
      signed_in_at: timeOf(session.signedInMs),
      expires_at: timeOf(endsMs(session)),
    },
    preferences: user.preferences,
    installation: { version, network: networkIsSimulated(config) ? 'simulator' : 'live', mail: config.smtpUrl !== '' },
  };
}

/** @param currentId the session that asks */
export function presentSession(session: Session, currentId: string | null): JsonObject {
  return {
    id: session.sessionId,
    current: session.sessionId === currentId,
    tenant_id: session.tenantId,
    created_at: timeOf(session.createdMs),
    last_used_at: timeOf(session.lastUsedMs),
    expires_at: timeOf(endsMs(session)),
    user_agent: session.userAgent,
    address: session.address,
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
