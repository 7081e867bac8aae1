/** One mail, in both forms. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `unreachable`: no mail server took it in time. `refused`: it does not want this mail, now or ever. */
export type MailFailure = 'unreachable' | 'refused';

/** Hands mail to the mail server of the settings. */
export interface Mailer {
  /**
   * Hands a mail in. It ends within seconds, whatever the mail server does.
   * @returns why it was not taken; null: it was taken. Whether it arrives is not known to anybody here.
   */
  send(mail: Mail): Promise<MailFailure | null>;
}
