import { ApiProblem } from '#core/errors';
import type { SessionId, TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import { isSsoSession } from '#users/store/sso-sign-ins';

const BY_SSO =
  'You signed in by single sign-on, which is good for this tenant alone. For this, sign in another way first.';

/**
 * Asks of whoever changes how a person signs in, or goes to another tenant, that the person themselves has signed in. The identity provider of one tenant
 * must not get hold of a person who works in others, nor outlast itself.
 * @throws ApiProblem forbidden when the session was begun by single sign-on
 */
export async function requireOwnSignIn(db: SqlRunner, tenantId: TenantId, sessionId: SessionId): Promise<void> {
  if (await isSsoSession(db, tenantId, sessionId)) throw new ApiProblem('forbidden', { sentence: BY_SSO });
}
