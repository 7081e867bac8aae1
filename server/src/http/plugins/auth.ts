import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Origin, Requester } from '#core/caller/origin';
import type { Authenticator, Principal } from '#core/caller/principal';
import { allows, type Scope } from '#core/caller/scopes';
import { ApiProblem } from '#core/errors';
import { isInNetworks } from '#core/public-address';
import { addressOf } from './caller-address.ts';
import type { RateLimit } from './rate-limit.ts';

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

/** What decides about a key. */
export interface Gate {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** Refuses an address from which too many wrong keys come; a right key is never asked where it comes from. */
  readonly wrongKeyLimit: (address: string) => ApiProblem | undefined;
  /** Refuses what would store messages while more comes than can be stored. */
  readonly overloadGuard: onRequestHookHandler;
  /** Whether test keys may send: what they send then reaches nobody. */
  readonly networkIsSimulator: boolean;
}

interface Need {
  readonly scope: Scope;
  /** Whether the operation makes messages leave. */
  readonly sends: boolean;
}

/**
 * Lets a request pass whose bearer key is known, has room under its limits, and may do what is needed; 401, 429 or 403
 * otherwise. Callback style, because a cached key must not cost a promise per request.
 */
export function requireKey(gate: Gate, need: Need): onRequestHookHandler {
  return (request, reply, done) => {
    const key = bearerKey(request.headers.authorization);
    if (key === null) return done(new ApiProblem('unauthorized'));
    const found = lookUp(gate.authenticator, key);
    if (found instanceof Error) return done(found);
    const admit = (principal: Principal | null) => done(admission(gate, need, { request, reply, principal }));
    if (!(found instanceof Promise)) return admit(found);
    found.then(admit, done);
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
export function originOf(request: Pick<FastifyRequest, 'principal' | 'agent' | 'id' | 'ip' | 'socket'>): Origin {
  const { keyId } = principalOf(request);
  const agentId = request.agent?.agentId ?? null;
  return { actor: 'key', keyId, agentId, requestId: request.id, address: addressOf(request) };
}

/** The same with the tenant: what a change needs for its entry in the audit log. */
export function requesterOf(request: Parameters<typeof originOf>[0]): Requester {
  return { tenantId: principalOf(request).tenantId, origin: originOf(request) };
}

/**
 * Looks again whether a request that waits may go on: within 2 s after its key or its tenant was stopped it may not.
 * @throws ApiProblem unauthorized, tenant_suspended
 */
export async function requireStillAllowed(
  { authenticator }: Gate,
  request: Pick<FastifyRequest, 'headers' | 'ip' | 'socket'>,
): Promise<void> {
  const principal = await authenticator.authenticate(bearerKey(request.headers.authorization) ?? '');
  if (principal === null) throw new ApiProblem('unauthorized');
  if (principal.suspension !== null) throw new ApiProblem('tenant_suspended', { sentence: principal.suspension });
  if (!mayComeFrom(principal, request)) throw new ApiProblem('address_not_allowed');
}

/** What the authenticator answers or throws, as a value: `done` must not run inside a try, it runs the whole request. */
function lookUp(authenticator: Authenticator, key: string): ReturnType<Authenticator['authenticate']> | Error {
  try {
    return authenticator.authenticate(key);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The key of a request; null without one. */
export function bearerKey(header: string | undefined): string | null {
  if (header === undefined || !BEARER.test(header)) return null;
  const key = header.slice(BEARER_CHARACTERS).trim();
  return key === '' || key.length > MAX_KEY_CHARACTERS ? null : key;
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly principal: Principal | null;
}

/** A request without the scope counts against the rate too: a refusal is not free. */
function admission(gate: Gate, need: Need, { request, reply, principal }: Asked): ApiProblem | undefined {
  if (principal === null) return gate.wrongKeyLimit(addressOf(request)) ?? new ApiProblem('unauthorized');
  request.principal = principal;
  if (principal.suspension !== null) return new ApiProblem('tenant_suspended', { sentence: principal.suspension });
  return gate.rateLimit(principal, reply) ?? addressProblem(request, principal) ?? permission(gate, need, principal);
}

/** In the same words whether the list of the key or that of its tenant lacks the address. */
function addressProblem(request: FastifyRequest, principal: Principal): ApiProblem | undefined {
  return mayComeFrom(principal, request) ? undefined : new ApiProblem('address_not_allowed');
}

/** Whether a key may be used from where the request comes from. */
export function mayComeFrom({ networks }: Principal, request: Pick<FastifyRequest, 'ip' | 'socket'>): boolean {
  return networks.length === 0 || networks.every((list) => isInNetworks(list, addressOf(request)));
}

function permission(gate: Gate, { scope, sends }: Need, principal: Principal): ApiProblem | undefined {
  if (sends && principal.mode === 'test' && !gate.networkIsSimulator) return new ApiProblem('test_key');
  if (allows(principal.scopes, scope)) return undefined;
  return new ApiProblem('forbidden', { sentence: `This API key lacks the scope ${scope}.` });
}
