import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';

/** A browser takes the prefix as a promise: set over HTTPS alone, by this host alone, for all of its paths. */
const SECURE_NAME = '__Host-postrider';
/** Over plain HTTP, where a browser would refuse the other one; on this machine that is as good. */
const PLAIN_NAME = 'postrider';
/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What a page of another site cannot send without asking first, and what is asked is refused. */
export const CLIENT_HEADER = 'postrider-client';
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The token of a session in a Cookie header; null: there is none of its form. */
export function sessionToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const cookies = new Map(header.split(';').map((pair) => splitCookie(pair)));
  const token = cookies.get(SECURE_NAME) ?? cookies.get(PLAIN_NAME) ?? '';
  return TOKEN.test(token) ? token : null;
}

function splitCookie(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/**
 * The Set-Cookie header that gives a browser its token, or takes it away.
 * @param token null: the session has ended
 * @param maxAgeS seconds that the browser keeps it; null: until it is closed
 */
export function sessionCookie(
  request: Pick<FastifyRequest, 'protocol'>,
  token: string | null,
  maxAgeS: number | null,
): string {
  const isSecure = request.protocol === 'https';
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  const age = token === null ? '; Max-Age=0' : maxAgeS === null ? '' : `; Max-Age=${maxAgeS}`;
  return `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${age}`;
}

/**
 * Refuses what another site makes a browser do with the session of its user: an unsafe method needs a header that only
 * a page of this origin can set, and must not be said to come from elsewhere.
 */
export function crossSiteProblem({
  headers,
  method,
}: Pick<FastifyRequest, 'headers' | 'method'>): ApiProblem | undefined {
  if (SAFE_METHODS.has(method)) return undefined;
  if (headers[CLIENT_HEADER] === undefined) return new ApiProblem('cross_site');
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? undefined : new ApiProblem('cross_site');
  return isOwnOrigin(headers.origin, headers.host) ? undefined : new ApiProblem('cross_site');
}

/** Browsers that say nothing of the site say the origin of whatever is unsafe. */
function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === host;
}
