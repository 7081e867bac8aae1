import type { Mail } from './mail.ts';
import { type MailPage, mailHtml, mailName, mailText, mailTime } from './mail-page.ts';

/** What the mail of an invitation says. */
export interface InvitationMail {
  readonly to: string;
  /** Of the agent whom the person becomes. */
  readonly name: string;
  readonly tenantName: string;
  /** Null: a program invites. */
  readonly invitedBy: string | null;
  readonly url: string;
  readonly expiresMs: number;
}

/** An invitation as plain text and as a page for mail programs. */
export function invitationMail({ to, url, expiresMs, ...names }: InvitationMail): Mail {
  const [name, tenant] = [mailName(names.name), mailName(names.tenantName)];
  const { invitedBy } = names;
  const page: MailPage = {
    hello: `Hello ${name},`,
    why: invitedBy === null ? `You are invited to ${tenant}.` : `${mailName(invitedBy)} has invited you to ${tenant}.`,
    go: 'Sign in',
    url,
    notes: [
      `The link works once, until ${mailTime(expiresMs)}. Whoever has it can sign in as you: do not pass it on.`,
      'If you did not expect this invitation, ignore it: nothing happens.',
    ],
  };
  return { to, subject: `Your invitation to ${tenant}`, text: mailText(page), html: mailHtml(page) };
}
