import type { Mail } from './mail.ts';
import { type MailPage, mailHtml, mailName, mailText, mailTime } from './mail-page.ts';

interface RecoveryMail {
  readonly to: string;
  /** Of the person. */
  readonly name: string;
  readonly url: string;
  readonly expiresMs: number;
}

/** Asks somebody to show that an email address is theirs. */
export function confirmationMail({ to, name, url, expiresMs }: RecoveryMail): Mail {
  const page: MailPage = {
    hello: `Hello ${mailName(name)},`,
    why: 'You sign in to Postrider with this email address. Confirm that it is yours: then you can set a new password if you ever forget it.',
    go: 'Confirm the address',
    url,
    notes: [
      `The link works until ${mailTime(expiresMs)}, in a browser in which you are signed in.`,
      'If you do not know what this is about, ignore it: nothing happens.',
    ],
  };
  return { to, subject: 'Confirm your email address', text: mailText(page), html: mailHtml(page) };
}

/** Lets somebody in who has forgotten their password. */
export function recoveryMail({ to, name, url, expiresMs }: RecoveryMail): Mail {
  const page: MailPage = {
    hello: `Hello ${mailName(name)},`,
    why: 'Somebody asked for a way in to your account, because the password was forgotten.',
    go: 'Sign in and set a new password',
    url,
    notes: [
      `The link works once, until ${mailTime(expiresMs)}. It ends every other session. Whoever has it can sign in as you: do not pass it on.`,
      'If it was not you, ignore it: your password stays as it is.',
    ],
  };
  return { to, subject: 'Set a new password', text: mailText(page), html: mailHtml(page) };
}
