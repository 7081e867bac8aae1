/** Holds the control plane to this machine's own programs and page: it needs no key. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ControlAnswer } from './answer.ts';

const OTHER_PAGE = 'Requests from pages of other origins are refused.';
const NOT_JSON = 'The body must be JSON: send "Content-Type: application/json".';

/**
 * Refuses what any web page can make a browser send here unasked: requests that name the page's origin, and bodies of
 * the types that need no permission beforehand. @returns null for a request that is fine
 */
export function refuseForeign(headers: IncomingHttpHeaders, text: string): ControlAnswer | null {
  const { origin, host, 'content-type': type = '' } = headers;
  if (origin !== undefined && !isOwn(origin, host)) return { status: 403, body: { error: OTHER_PAGE } };
  if (text !== '' && !/^application\/json\s*(;|$)/i.test(type)) return { status: 415, body: { error: NOT_JSON } };
  return null;
}

function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
