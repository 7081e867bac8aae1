import type { FastifyRequest } from 'fastify';
import type { PersonSession } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type Gate, originOf, principalOf } from '#http/plugins/auth';
import { addressOf } from '#http/plugins/caller-address';
import { crossSiteProblem, sessionToken } from '#http/plugins/session-cookie';
import type { OwnChange } from '#users/actions/change-password';
import type { SignInFrom } from '#users/actions/open-session';
import { requireOwnSignIn } from '#users/actions/require-own-sign-in';

/** What a browser calls itself is kept up to here. */
const MAX_USER_AGENT = 200;

/** The person who asks, in a route that needs a session. @throws ApiProblem not_signed_in */
export function signedInPerson(
  request: Parameters<typeof principalOf>[0],
): PersonSession & { readonly tenantId: TenantId } {
  const { tenantId, session } = principalOf(request);
  if (session === null) throw new ApiProblem('not_signed_in');
  return { tenantId, ...session };
}

/**
 * The same, for a change of what the person signs in with.
 * @throws ApiProblem not_signed_in, forbidden when the session was begun by single sign-on
 */
export async function ownChangeOf(db: Database, request: Parameters<typeof originOf>[0]): Promise<OwnChange> {
  const session = signedInPerson(request);
  await requireOwnSignIn(db, session.tenantId, session.sessionId);
  return { session, origin: originOf(request) };
}

/** Where a sign-in comes from, and the session that the browser has already. */
export async function signInFrom(gate: Gate, request: FastifyRequest): Promise<SignInFrom> {
  return {
    requestId: request.id,
    address: addressOf(request),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    replaces: await sessionBefore(gate, request),
  };
}

/** Null: there is none, or a page of another site may have sent its cookie. */
async function sessionBefore(gate: Gate, request: FastifyRequest): Promise<PersonSession | null> {
  const token = sessionToken(request.headers.cookie);
  if (token === null || crossSiteProblem(request) !== undefined) return null;
  return (await gate.sessions.authenticate(token))?.session ?? null;
}
