import { isIP } from 'node:net';
import type { PasskeyId, UserId } from '#core/ids';

/** A key that an authenticator of a person keeps. Times are milliseconds since 1970. */
export interface Passkey {
  readonly passkeyId: PasskeyId;
  readonly userId: UserId;
  /** What the authenticator calls it, in base64url. */
  readonly credentialId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** How often it signed; 0 for authenticators that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  /** Whether the authenticator keeps copies of it elsewhere. */
  readonly backedUp: boolean;
  readonly createdMs: number;
  readonly lastUsedMs: number | null;
}

/** A challenge that is not answered by then is worth nothing. */
export const CHALLENGE_MS = 5 * 60_000;
/** More than anybody has authenticators. */
export const MAX_PASSKEYS = 20;

/** Whom passkeys are made for: this service, as browsers know it. */
export interface RelyingParty {
  /** Domain that passkeys are bound to. */
  readonly id: string;
  /** Origin of the pages that may ask for them. */
  readonly origin: string;
}

/**
 * Whom passkeys are made for. Browsers make them for domain names alone, and on pages over HTTPS or of this machine.
 * @param address where browsers reach the service
 * @returns a sentence when they would make none
 */
export function relyingPartyOf(address: string): RelyingParty | string {
  const { hostname, origin, protocol } = new URL(address);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return `Passkeys need a domain name, and browsers reach this service by an IP address, ${hostname}. Its operator can set MESSAGING_PUBLIC_URL.`;
  }
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost')) {
    return `Passkeys need HTTPS, and browsers reach this service at ${origin}. Its operator can set MESSAGING_PUBLIC_URL.`;
  }
  return { id: hostname, origin };
}
