import type { Origin } from '#core/caller/origin';
import { requireFound } from '#core/errors';
import type { UserId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { RECOVERY_MS } from '#users/domain/user';
import { deleteTotp, lockCredentials, setPasswordHash } from '#users/store/credentials';
import { deleteUnusedLinks } from '#users/store/sign-in-links';
import { auditPerson } from './audit-person.ts';
import { forgetAttempts } from './limit-attempts.ts';
import { endSessionsWithin, storeLink } from './sign-in.ts';

/** A person who cannot get in any more, or as whom somebody else could. */
export interface PersonReset {
  readonly userId: UserId;
  /** Whether the authenticator app and the recovery codes are lost too. */
  readonly removeTotp: boolean;
  readonly origin: Origin;
}

/** What a reset did. */
export interface ResetPerson {
  readonly url: string;
  /** How many sessions ended. */
  readonly ended: number;
}

/**
 * Lets a person begin anew: the password and earlier links stop working, every session ends, and one link signs the person
 * in, within a day. Without `removeTotp`, the link still asks for the second factor.
 * @throws ApiProblem not_found
 */
export function resetPerson(
  rt: Runtime,
  db: Database,
  { userId, removeTotp, origin }: PersonReset,
): Promise<ResetPerson> {
  return db.transaction(async (tx) => {
    const person = requireFound(await lockCredentials(tx, userId));
    const nowMs = rt.clock.now();
    await setPasswordHash(tx, userId, null, nowMs);
    if (removeTotp) await deleteTotp(tx, userId, nowMs);
    await deleteUnusedLinks(tx, userId);
    await forgetAttempts(tx, person);
    const ended = await endSessionsWithin(rt, tx, { userId, origin });
    await auditPerson(rt, tx, { userId, action: 'user.reset', origin, details: { totp_removed: removeTotp } });
    return { url: await storeLink(rt, tx, { userId, lifetimeMs: RECOVERY_MS }), ended };
  });
}
