import { createTransport } from 'nodemailer';
import { parseSender, parseSmtpAddress } from '#core/smtp-address';
import { type Config, ConfigError } from '#runtime/config';
import type { Log } from '#runtime/log';
import type { Mail, Mailer, MailFailure } from '#users/domain/mail';

/** A person waits for the answer of the request that a mail belongs to. */
const DEADLINE_MS = 8_000;
/** For each step of an attempt. */
const STEP_MS = 4_000;
/** A server that is busy at the moment is often not a second later. */
const ATTEMPTS = 2;
const PAUSE_MS = 500;
/** A mail server that does not answer holds no more connections of this process than these. */
const MAX_AT_ONCE = 16;

export interface SmtpOptions {
  readonly deadlineMs?: number;
  /** Certificates in PEM that are trusted instead of those of Node. */
  readonly ca?: string;
}

/**
 * A client of the mail server of the settings.
 * @returns null when none is set up
 * @throws ConfigError when only one of the two settings is there
 */
export function makeMailer(
  config: Pick<Config, 'smtpUrl' | 'smtpFrom'>,
  log: Log,
  { deadlineMs = DEADLINE_MS, ca }: SmtpOptions = {},
): Mailer | null {
  const [address, from] = [parseSmtpAddress(config.smtpUrl), parseSender(config.smtpFrom)];
  if (address === null && from === null) return null;
  if (address === null || from === null)
    throw new ConfigError('MESSAGING_SMTP_URL and MESSAGING_SMTP_FROM are set together, or not at all.');
  const { host, port, protection, login } = address;
  const transport = createTransport({
    ...{ host, port, secure: protection === 'tls', requireTLS: protection === 'required' },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...{ connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS },
  });
  // What a mail says never makes this process read a file or ask an address.
  const closed = { disableFileAccess: true, disableUrlAccess: true };
  let underWay = 0;
  const attempt = (mail: Mail, signal: AbortSignal) => transport.sendMail({ ...mail, from, ...closed, signal });
  return {
    send: async (mail) => {
      if (underWay >= MAX_AT_ONCE) return 'unreachable';
      underWay += 1;
      try {
        return await trying(attempt, mail, { signal: AbortSignal.timeout(deadlineMs), log });
      } finally {
        underWay -= 1;
      }
    },
  };
}

type Attempt = (mail: Mail, signal: AbortSignal) => Promise<unknown>;

/** Tries again what may pass the next time, until the deadline. */
async function trying(
  attempt: Attempt,
  mail: Mail,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
): Promise<MailFailure | null> {
  for (let count = 1; ; count += 1) {
    try {
      await attempt(mail, signal);
      return null;
    } catch (error) {
      const failure = failureOf(error as SmtpError);
      // The answer of the server may repeat the address of the person: its code is enough to look further.
      const { code, responseCode } = error as SmtpError;
      log.warn({ code: code ?? '', reply: responseCode ?? 0, attempt: count }, 'mail.not_taken');
      if (failure === 'refused' || count === ATTEMPTS || signal.aborted) return failure;
    }
    await pause(signal);
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  /** Three digits of SMTP; absent: the server said nothing. */
  readonly responseCode?: number;
}

/** From 500 on, the server says that the same mail will not be taken later either. The rest are addresses that are none. */
function failureOf({ responseCode, code }: SmtpError): MailFailure {
  const isFinal = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
  return isFinal ? 'refused' : 'unreachable';
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, PAUSE_MS);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
