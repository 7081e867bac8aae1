import type { IncomingMessage } from 'node:http';
import type { Settings } from '../settings.ts';
import { type NetworkError, networkError } from './errors.ts';

const BEARER = /^(?:Bearer|OAuth) +(\S+)$/i;

/** Null when the request carries a token that counts; the network also takes it as a query parameter. */
export function authorise(request: IncomingMessage, query: string, settings: Settings): NetworkError | null {
  const header = request.headers.authorization;
  const token =
    header === undefined ? new URLSearchParams(query).get('access_token') : (BEARER.exec(header)?.[1] ?? null);
  if (token === null || token === '') return networkError(104, 'An access token is required to request this resource.');
  if (settings.tokens === null || settings.tokens.includes(token)) return null;
  return {
    ...networkError(190, 'The access token is expired, revoked or unknown.'),
    message: 'Error validating access token: the session is not valid.',
    subcode: 463,
  };
}
