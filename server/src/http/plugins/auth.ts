import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Origin } from '#core/audit';
import { ApiProblem } from '#core/errors';
import { allows, type Scope } from '#core/scopes';
import type { Authenticator, Principal } from '#operations/authenticate';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Null on routes that need no key. */
    principal: Principal | null;
  }
}

/** Longer than any key; what is longer is not worth hashing. */
const MAX_KEY_CHARACTERS = 512;
/** The name of the scheme has no case (RFC 9110, 11.1). */
const BEARER = /^bearer /i;
const BEARER_CHARACTERS = 'bearer '.length;

/**
 * Lets a request pass whose bearer key is known and has `scope`; 401 or 403 otherwise. Callback style, because a
 * cached key must not cost a promise per request.
 */
export function requireKey(authenticator: Authenticator, scope: Scope): onRequestHookHandler {
  return (request, _reply, done) => {
    const key = bearerKey(request.headers.authorization);
    if (key === null) return done(new ApiProblem('unauthorized'));
    const found = lookUp(authenticator, key);
    if (found instanceof Error) return done(found);
    if (!(found instanceof Promise)) return done(admission(request, found, scope));
    found.then((principal) => done(admission(request, principal, scope)), done);
  };
}

/**
 * Who asks, in a route that needs a key.
 * @throws Error when the route was registered without one: a mistake of ours
 */
export function principalOf(request: Pick<FastifyRequest, 'principal'>): Principal {
  if (request.principal === null) throw new Error('This route needs a key but was registered without a scope.');
  return request.principal;
}

/** Who asks and where from, for the audit log. */
export function originOf(request: Pick<FastifyRequest, 'principal' | 'id' | 'ip'>): Origin {
  return { actor: 'key', keyId: principalOf(request).keyId, requestId: request.id, address: request.ip };
}

/** What the authenticator answers or throws, as a value: `done` must not run inside a try, it runs the whole request. */
function lookUp(authenticator: Authenticator, key: string): ReturnType<Authenticator['authenticate']> | Error {
  try {
    return authenticator.authenticate(key);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function bearerKey(header: string | undefined): string | null {
  if (header === undefined || !BEARER.test(header)) return null;
  const key = header.slice(BEARER_CHARACTERS).trim();
  return key === '' || key.length > MAX_KEY_CHARACTERS ? null : key;
}

function admission(request: FastifyRequest, principal: Principal | null, scope: Scope): ApiProblem | undefined {
  if (principal === null) return new ApiProblem('unauthorized');
  request.principal = principal;
  if (allows(principal.scopes, scope)) return undefined;
  return new ApiProblem('forbidden', { sentence: `This API key lacks the scope ${scope}.` });
}
