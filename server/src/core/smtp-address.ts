/** Where mail is handed in, and how the connection is protected. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the start. `required`: STARTTLS, or nothing is sent. `offered`: STARTTLS if the server has it. */
  readonly protection: 'tls' | 'required' | 'offered';
  /** Null: the server asks for none. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

const MAX_PORT = 65_535;
/** Of submission (RFC 6409) and of submission over TLS (RFC 8314). */
const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const PLAIN = '?tls=optional';

/**
 * Reads `smtp://user:password@host:587` or `smtps://…`; `?tls=optional` lets mail go out unencrypted when the server knows no
 * STARTTLS. User and password are percent-encoded.
 * @returns null for anything else, and for a password that could go out unencrypted
 */
export function parseSmtpAddress(text: string): SmtpAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return null;
  const isPlain = url.search === PLAIN;
  if ((url.search !== '' && !isPlain) || url.hash !== '' || !['', '/'].includes(url.pathname)) return null;
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (port < 1 || port > MAX_PORT) return null;
  const login = loginOf(url);
  if (login === undefined || (isPlain && (login !== null || url.protocol === 'smtps:'))) return null;
  const protection = url.protocol === 'smtps:' ? 'tls' : isPlain ? 'offered' : 'required';
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, protection, login };
}

/** Undefined: it cannot be decoded, or half of it is missing. */
function loginOf({ username, password }: URL): SmtpAddress['login'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** Whom mail comes from: an address, alone or in angle brackets behind a name. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/;
const NAMED = /^\s*([^<>\r\n]*?)\s*<([^<>]+)>\s*$/;

/** Reads `inbox@example.com` or `Flower shop <inbox@example.com>`; null for anything else. */
export function parseSender(text: string): MailSender | null {
  const [, given = '', within] = NAMED.exec(text) ?? [];
  const address = (within ?? text).trim();
  return ADDRESS.test(address) ? { name: given.replace(/^"|"$/g, ''), address } : null;
}
