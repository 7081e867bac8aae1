import { ApiProblem } from '#core/errors';
import type { Transaction } from '#database/database';
import { isUniqueViolation } from '#database/pg-errors';
import type { Runtime } from '#runtime/runtime';
import { deleteRecoveryLinks } from '#users/store/sign-in-links';
import { setEmail } from '#users/store/users';
import { auditPerson } from './audit-person.ts';
import type { OwnChange } from './change-password.ts';
import { beginAttempt, releaseAttempt, subjectOfClaim } from './limit-attempts.ts';
import type { PersonDeps } from './person-deps.ts';

const TAKEN = 'Another person signs in with this email address.';

/**
 * Sets the email address that a person signs in with. Addresses that are taken are counted, so that nobody finds out who
 * else uses the service by trying many.
 * @throws ApiProblem conflict when another person has it, rate_limited after too many of those
 */
export async function changeEmail(
  { rt, db }: PersonDeps,
  { session, origin, email }: OwnChange & { readonly email: string },
): Promise<void> {
  const attempt = await beginAttempt(rt, db, { account: subjectOfClaim(session.userId), address: null });
  const change = (tx: Transaction) => storeEmail(rt, tx, { session, origin, email });
  const isFree = await db.transaction(change).catch((error: unknown) => {
    // Two people who set the same address at the same moment: the database lets one of them have it.
    if (isUniqueViolation(error)) return false;
    throw error;
  });
  if (!isFree) throw new ApiProblem('conflict', { sentence: TAKEN });
  await releaseAttempt(db, attempt);
}

async function storeEmail(
  rt: Runtime,
  tx: Transaction,
  { session, origin, email }: OwnChange & { readonly email: string },
): Promise<boolean> {
  const { userId } = session;
  if (!(await setEmail(tx, userId, email, rt.clock.now()))) return false;
  // What was mailed to the address before must not let its reader in.
  await deleteRecoveryLinks(tx, userId);
  await auditPerson(rt, tx, { userId, action: 'user.email_changed', origin });
  return true;
}
