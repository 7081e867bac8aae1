import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { listMemberships } from '#users/store/users';
import { endReplaced, type SignedIn, type SignInFrom, storeSession } from './open-session.ts';
import { requireOwnSignIn } from './require-own-sign-in.ts';

/**
 * Takes a person into another of their tenants: a new session takes the place of the one that the browser has, and ends
 * when that one would have. It does not count as a sign-in.
 * @throws ApiProblem not_signed_in when that session has ended, not_found when the person does not work in the tenant,
 *   sso_required when that lets people in by single sign-on alone, forbidden when the session was begun by single sign-on
 */
export function switchTenant(
  rt: Runtime,
  db: Database,
  { tenantId, from }: { readonly tenantId: string; readonly from: SignInFrom },
): Promise<SignedIn> {
  return db.transaction(async (tx) => {
    const before = await endReplaced(rt, tx, from);
    if (before === null) throw new ApiProblem('not_signed_in');
    await requireOwnSignIn(tx, before.tenantId, before.sessionId);
    const { userId, signedInMs, idleMs, expiresMs } = before;
    const membership = (await listMemberships(tx, userId)).find((one) => one.tenantId === tenantId);
    if (membership === undefined) throw new ApiProblem('not_found');
    if (membership.needsSso) throw new ApiProblem('sso_required');
    const times = { createdMs: rt.clock.now(), signedInMs, idleMs, expiresMs };
    return storeSession(rt, tx, { userId, membership, times, from, details: { method: 'switch' } });
  });
}
