import type { Origin } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { UserId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { Mailer } from '#users/domain/mail';
import { confirmationMail } from '#users/domain/recovery-mails';
import { CONFIRMATION_MS } from '#users/domain/user';
import { confirmEmail, storeEmailToken } from '#users/store/email-confirmations';
import { takeAttempt } from '#users/store/sign-in-attempts';
import { findUser } from '#users/store/users';
import { auditPerson } from '../audit-person.ts';
import { hashToken, makeToken } from '../authenticate-session.ts';
import { subjectOfMailTo } from '../limit-attempts.ts';
import { MAIL_WINDOW_MS, MAILS_PER_ADDRESS, type NotMailed } from '../mail-invitation.ts';
import { publicOrigin } from '../sign-in.ts';

const NO_EMAIL = 'Set your email address first.';
const CONFIRMED = 'The email address is confirmed already.';
const NOT_THE_LINK =
  'This link no longer works: it is too old, a later one replaced it, or the address was changed. Ask for another one.';

/** What became of the mail with the link. */
export interface ConfirmationMailed {
  readonly address: string;
  /** Null: the mail server took it. */
  readonly failure: NotMailed | null;
}

/**
 * Mails a person a link that confirms their email address. It counts only together with a session of the same person, so that
 * whoever owns a mistyped address gets nothing by it.
 * @param mailer null: no mail server is set up
 * @throws ApiProblem conflict without an address, or when it is confirmed already
 */
export async function mailConfirmation(
  rt: Runtime,
  db: Database,
  { userId, mailer }: { readonly userId: UserId; readonly mailer: Mailer | null },
): Promise<ConfirmationMailed> {
  const user = await findUser(db, userId);
  if (user === null || user.email === null) throw new ApiProblem('conflict', { sentence: NO_EMAIL });
  if (user.emailConfirmedMs !== null) throw new ApiProblem('conflict', { sentence: CONFIRMED });
  const { email: address, name } = user;
  if (mailer === null) return { address, failure: 'not_configured' };
  const limit = { subject: subjectOfMailTo(address), limit: MAILS_PER_ADDRESS, windowMs: MAIL_WINDOW_MS };
  const nowMs = rt.clock.now();
  if ((await takeAttempt(db, limit, nowMs)) === null) return { address, failure: 'limited' };
  const token = makeToken();
  const expiresMs = nowMs + CONFIRMATION_MS;
  const isStored = await storeEmailToken(db, { userId, email: address, tokenHash: hashToken(token), expiresMs });
  if (!isStored) throw new ApiProblem('conflict', { sentence: CONFIRMED });
  const url = `${publicOrigin(rt.config)}/account#confirm=${token}`;
  return { address, failure: await mailer.send(confirmationMail({ to: address, name, url, expiresMs })) };
}

/**
 * Takes the token of the mail: from now on, the person can recover their account by this address.
 * @throws ApiProblem conflict when it is not the token of the latest mail to the present address
 */
export function confirmOwnEmail(
  rt: Runtime,
  db: Database,
  { userId, token, origin }: { readonly userId: UserId; readonly token: string; readonly origin: Origin },
): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await confirmEmail(tx, userId, hashToken(token), rt.clock.now())))
      throw new ApiProblem('conflict', { sentence: NOT_THE_LINK });
    await auditPerson(rt, tx, { userId, action: 'user.email_confirmed', origin });
  });
}
