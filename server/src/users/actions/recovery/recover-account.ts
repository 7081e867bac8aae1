import type { Origin } from '#core/caller/origin';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { Mailer } from '#users/domain/mail';
import { recoveryMail } from '#users/domain/recovery-mails';
import { SELF_RECOVERY_MS } from '#users/domain/user';
import { lockCredentials } from '#users/store/credentials';
import { findRecoverable, type Recoverable } from '#users/store/email-confirmations';
import { takeAttempt } from '#users/store/sign-in-attempts';
import { deleteRecoveryLinks } from '#users/store/sign-in-links';
import { listMemberships } from '#users/store/users';
import { auditPerson } from '../audit-person.ts';
import { beginAttempt, subjectOfMailTo, subjectOfRecovery } from '../limit-attempts.ts';
import { MAIL_WINDOW_MS, MAILS_PER_ADDRESS } from '../mail-invitation.ts';
import { storeLink } from '../sign-in.ts';

/** Somebody who says that they have forgotten their password. */
export interface RecoveryRequest {
  readonly email: string;
  readonly requestId: string | null;
  /** The address that the request comes from. */
  readonly address: string | null;
}

/**
 * Counts a request to recover an account. It is done before it is known whether there is such an account, and whatever there is.
 * @throws ApiProblem rate_limited after too many for one email address, or from one address
 */
export async function countRecovery(rt: Runtime, db: Database, { email, address }: RecoveryRequest): Promise<void> {
  await beginAttempt(rt, db, { account: subjectOfRecovery(email), address });
}

/**
 * Mails a link that signs the person in, once and within half an hour, if there is such a person, the address is known to be theirs, and they
 * may sign in by something else than single sign-on. Nobody waits for it, and nobody is told: whoever asked learns nothing of who
 * uses the service, from words or from time.
 */
export async function mailRecovery(
  rt: Runtime,
  db: Database,
  { mailer, ...request }: RecoveryRequest & { readonly mailer: Mailer },
): Promise<void> {
  const person = await findRecoverable(db, request.email.trim());
  if (person === null) return;
  const limit = { subject: subjectOfMailTo(person.email), limit: MAILS_PER_ADDRESS, windowMs: MAIL_WINDOW_MS };
  if ((await takeAttempt(db, limit, rt.clock.now())) === null) return;
  const expiresMs = rt.clock.now() + SELF_RECOVERY_MS;
  const url = await makeRecoveryLink(rt, db, person, request);
  if (url !== null) await mailer.send(recoveryMail({ to: person.email, name: person.name, url, expiresMs }));
}

/** Null: the person may not sign in this way. An earlier link of the kind stops working. */
function makeRecoveryLink(
  rt: Runtime,
  db: Database,
  { userId, email }: Recoverable,
  { requestId, address }: RecoveryRequest,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const now = await lockCredentials(tx, userId);
    if (now?.email !== email) return null;
    const memberships = await listMemberships(tx, userId);
    if (memberships.every(({ needsSso }) => needsSso)) return null;
    await deleteRecoveryLinks(tx, userId);
    // Whoever asked is not known: it is the service that sends the link.
    const origin: Origin = { actor: 'service', keyId: null, agentId: null, requestId, address };
    await auditPerson(rt, tx, { userId, action: 'user.recovery_requested', origin });
    return storeLink(rt, tx, { userId, lifetimeMs: SELF_RECOVERY_MS, recovers: true });
  });
}
