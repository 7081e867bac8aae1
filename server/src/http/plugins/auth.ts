import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Origin, Requester } from '#core/caller/origin';
import { type Authenticator, type PersonSession, type Principal, tenantProblem } from '#core/caller/principal';
import { allows, type Scope } from '#core/caller/scopes';
import { ApiProblem } from '#core/errors';
import { isInNetworks } from '#core/public-address';
import type { Clock } from '#runtime/clock';
import { addressOf } from './caller-address.ts';
import type { RateLimit } from './rate-limit.ts';
import { crossSiteProblem, sessionToken } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Null on routes that need neither a key nor a session. */
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
  /** The same for the token of a session. */
  readonly sessions: Authenticator;
  readonly rateLimit: RateLimit;
  /** Refuses an address from which too many wrong keys come; a right key is never asked where it comes from. */
  readonly wrongKeyLimit: (address: string) => ApiProblem | undefined;
  /** The same for attempts to sign in, right or wrong. */
  readonly signInLimit: (address: string) => ApiProblem | undefined;
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
 * Lets a request pass whose bearer key, or else whose session, is known, has room under its limits, and may do what is
 * needed; 401, 429 or 403 otherwise. Callback style, because a cached key must not cost a promise per request.
 */
export function requireCaller(gate: Gate, need: Need): onRequestHookHandler {
  return admitting(gate, credentialOf, (principal) => permission(gate, need, principal));
}

/** The same for what a person does for themselves: a key is not enough, and no role is needed. */
export function requireSession(gate: Gate): onRequestHookHandler {
  return admitting(gate, sessionOf, () => undefined);
}

/** What is dangerous asks a person for a sign-in that is no older than this. */
const RECENT_MS = 10 * 60_000;

/** Whether a person signed in within the last ten minutes. */
export function isRecentSignIn(clock: Pick<Clock, 'now'>, { signedInMs }: Pick<PersonSession, 'signedInMs'>): boolean {
  return clock.now() - signedInMs <= RECENT_MS;
}

/** Refuses a person who did not sign in within the last ten minutes. It stands behind `requireCaller` or `requireSession`; programs pass. */
export function requireRecentSignIn(clock: Pick<Clock, 'now'>): onRequestHookHandler {
  return (request, _reply, done) => {
    const { session } = principalOf(request);
    done(session !== null && !isRecentSignIn(clock, session) ? new ApiProblem('sign_in_again') : undefined);
  };
}

function admitting(
  gate: Gate,
  find: (gate: Gate, request: FastifyRequest) => Credential | ApiProblem,
  permit: (principal: Principal) => ApiProblem | undefined,
): onRequestHookHandler {
  return (request, reply, done) => {
    const credential = find(gate, request);
    if (credential instanceof ApiProblem) return done(credential);
    const found = lookUp(credential);
    if (found instanceof Error) return done(found);
    const refusal = () => new ApiProblem(credential.knownTo === gate.sessions ? 'not_signed_in' : 'unauthorized');
    const admit = (principal: Principal | null) =>
      done(admission(gate, { request, reply, principal, permit, refusal }));
    if (!(found instanceof Promise)) return admit(found);
    found.then(admit, done);
  };
}

/** What a request proves who it comes from with, and who knows that. */
interface Credential {
  readonly secret: string;
  readonly knownTo: Authenticator;
}

/** A key counts, whatever else the request has: programs that keep cookies do not become people. */
function credentialOf(gate: Gate, request: Pick<FastifyRequest, 'headers' | 'method'>): Credential | ApiProblem {
  const key = bearerKey(request.headers.authorization);
  if (key !== null) return { secret: key, knownTo: gate.authenticator };
  const isPerson = request.headers.authorization === undefined && sessionToken(request.headers.cookie) !== null;
  return isPerson ? sessionOf(gate, request) : new ApiProblem('unauthorized');
}

/** Before the session is looked up: what another site makes a browser send learns nothing about it. */
function sessionOf(gate: Gate, request: Pick<FastifyRequest, 'headers' | 'method'>): Credential | ApiProblem {
  const token = sessionToken(request.headers.cookie);
  if (token === null) return new ApiProblem('not_signed_in');
  return crossSiteProblem(request) ?? { secret: token, knownTo: gate.sessions };
}

/**
 * Who asks, in a route that needs a key or a session.
 * @throws Error when the route was registered without: a mistake of ours
 */
export function principalOf(request: Pick<FastifyRequest, 'principal'>): Principal {
  if (request.principal === null) throw new Error('This route needs a caller but was registered without a scope.');
  return request.principal;
}

/** Who asks and where from, for the audit log. */
export function originOf(request: Pick<FastifyRequest, 'principal' | 'agent' | 'id' | 'ip' | 'socket'>): Origin {
  const { keyId, agentId: bound } = principalOf(request);
  const agentId = request.agent?.agentId ?? (keyId === null ? bound : null);
  return {
    actor: keyId === null ? 'agent' : 'key',
    keyId,
    agentId,
    requestId: request.id,
    address: addressOf(request),
  };
}

/** The same with the tenant: what a change needs for its entry in the audit log. */
export function requesterOf(request: Parameters<typeof originOf>[0]): Requester {
  return { tenantId: principalOf(request).tenantId, origin: originOf(request) };
}

/**
 * Looks again whether a request that waits may go on: within 2 s after its key, its session or its tenant was stopped it may not.
 * @throws ApiProblem unauthorized, tenant_suspended, tenant_moving
 */
export async function requireStillAllowed(
  gate: Gate,
  request: Pick<FastifyRequest, 'headers' | 'method' | 'ip' | 'socket'>,
): Promise<void> {
  const credential = credentialOf(gate, request);
  if (credential instanceof ApiProblem) throw credential;
  const principal = await credential.knownTo.authenticate(credential.secret);
  if (principal === null) throw new ApiProblem(credential.knownTo === gate.sessions ? 'not_signed_in' : 'unauthorized');
  if (principal.refusal !== null) throw tenantProblem(principal.refusal);
  if (!mayComeFrom(principal, request)) throw new ApiProblem('address_not_allowed');
}

/** What the authenticator answers or throws, as a value: `done` must not run inside a try, it runs the whole request. */
function lookUp({ secret, knownTo }: Credential): ReturnType<Authenticator['authenticate']> | Error {
  try {
    return knownTo.authenticate(secret);
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
  readonly permit: (principal: Principal) => ApiProblem | undefined;
  /** For a caller whom nobody knows. */
  readonly refusal: () => ApiProblem;
}

/** A request without the scope counts against the rate too: a refusal is not free. */
function admission(gate: Gate, { request, reply, principal, permit, refusal }: Asked): ApiProblem | undefined {
  if (principal === null) return gate.wrongKeyLimit(addressOf(request)) ?? refusal();
  request.principal = principal;
  if (principal.refusal !== null) return tenantProblem(principal.refusal);
  return gate.rateLimit(principal, reply) ?? addressProblem(request, principal) ?? permit(principal);
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
