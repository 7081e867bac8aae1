import type { IncomingMessage } from 'node:http';
import type { TokenState } from '../accounts/token-registry.ts';
import type { Simulation } from '../simulation.ts';
import { type NetworkError, networkError } from './errors.ts';

const BEARER = /^(?:Bearer|OAuth) +(\S+)$/i;

/** The token of a request: in its header, or as a query parameter; null when there is none. */
export function tokenOf(request: IncomingMessage, query: string): string | null {
  const header = request.headers.authorization;
  const token =
    header === undefined ? new URLSearchParams(query).get('access_token') : (BEARER.exec(header)?.[1] ?? null);
  return token === '' ? null : token;
}

/** Null when the request carries a token that counts. */
export function authorise(sim: Simulation, request: IncomingMessage, query: string): NetworkError | null {
  const token = tokenOf(request, query);
  if (token === null) return networkError(104, 'An access token is required to request this resource.');
  const state = sim.tokens.stateOf(token, sim.settings.tokens, sim.clock.now());
  return state === 'valid' ? null : tokenFault(state);
}

/** The refusal of a token that does not count. */
export function tokenFault(state: Exclude<TokenState, 'valid'>): NetworkError {
  const why = {
    expired: 'the session has expired',
    revoked: 'the session was invalidated because the user removed the app',
    unknown: 'the session is not valid',
  }[state];
  return {
    ...networkError(190, 'The access token is expired, revoked or unknown.'),
    message: `Error validating access token: ${why}.`,
    subcode: state === 'revoked' ? 460 : 463,
  };
}
