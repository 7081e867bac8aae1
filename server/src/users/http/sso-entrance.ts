import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import { isUuid, type TenantId, type UserId } from '#core/ids';
import type { Gate } from '#http/plugins/auth';
import { addressOf } from '#http/plugins/caller-address';
import { sessionToken } from '#http/plugins/session-cookie';
import { publicOrigin } from '#users/actions/sign-in';
import { beginSso, endByProvider, finishSso, type SsoDeps, SsoRefused } from '#users/actions/sign-in-by-sso';
import { ProviderError, pathWithin, SSO_STATE_MS } from '#users/domain/sso';
import { handOverSession } from './answer-signed-in.ts';
import { signInFrom } from './own-session.ts';

/** What a browser brings back from the provider. Only these paths get it. */
const COOKIE = 'postrider-sso';
const COOKIE_PATH = '/v1/sso';
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const START_OF_CONSOLE = '/inbox';
/** Someone who connects an identity to themselves must have signed in within this. */
const RECENT_MS = 10 * 60_000;
/** A token with many claims has a few kilobytes. */
const MAX_FORM_BYTES = 64 * 1024;

type Query = Readonly<Record<string, unknown>>;

/**
 * Where browsers begin and end a sign-in at the provider of a tenant, and where that provider says that one is over. These are
 * pages and messages of OpenID Connect, no operations of the API: a browser is sent on, and never sees JSON.
 */
export function installSso(app: FastifyInstance, deps: SsoDeps, gate: Gate): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const limited = (request: FastifyRequest) => {
      const tooMany = gate.signInLimit(addressOf(request));
      if (tooMany) throw tooMany;
    };
    scope.get('/v1/sso/:id/start', async (request, reply) => {
      limited(request);
      return start(deps, gate, request, reply);
    });
    scope.get('/v1/sso/callback', async (request, reply) => {
      limited(request);
      return finish(deps, gate, request, reply);
    });
    scope.post('/v1/sso/:id/logout', (request, reply) => logout(deps, request, reply));
  });
}

async function start(deps: SsoDeps, gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const tenantId = tenantOf(request);
  const { return_to: asked = START_OF_CONSOLE, link } = request.query as Query;
  const origin = publicOrigin(deps.rt.config);
  const returnTo = typeof asked === 'string' ? pathWithin(origin, asked) : null;
  if (returnTo === null)
    throw new ApiProblem('invalid_request', { sentence: 'return_to must be a path of this service.' });
  try {
    const userId = link === 'true' ? await whoLinks(deps, gate, { request, tenantId }) : null;
    const { url, secret } = await beginSso(deps, { tenantId, userId, returnTo });
    return reply.header('set-cookie', cookieOf(request, secret)).header('cache-control', 'no-store').redirect(url, 302);
  } catch (error) {
    return refuse(deps, reply, { error, tenantId });
  }
}

/** Who is signed in to the tenant of the connection, and has been for minutes only. @throws ApiProblem */
async function whoLinks(
  { rt }: SsoDeps,
  gate: Gate,
  { request, tenantId }: { readonly request: FastifyRequest; readonly tenantId: TenantId },
): Promise<UserId> {
  const token = sessionToken(request.headers.cookie);
  const principal = token === null ? null : await gate.sessions.authenticate(token);
  if (principal?.session == null || principal.tenantId !== tenantId) throw new ApiProblem('not_signed_in');
  const { userId, signedInMs } = principal.session;
  if (rt.clock.now() - signedInMs > RECENT_MS) throw new ApiProblem('sign_in_again');
  return userId;
}

async function finish(deps: SsoDeps, gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    const query = new URL(request.url, publicOrigin(deps.rt.config)).searchParams;
    const came = { query, secret: secretIn(request.headers.cookie), from: await signInFrom(gate, request) };
    const { returnTo, ...signedIn } = await finishSso(deps, came);
    handOverSession(deps, { request, reply }, signedIn);
    return reply.header('set-cookie', cookieOf(request, null)).redirect(publicOrigin(deps.rt.config) + returnTo, 302);
  } catch (error) {
    return refuse(deps, reply.header('set-cookie', cookieOf(request, null)), { error, tenantId: null });
  }
}

/** Answers as OpenID Connect Back-Channel Logout 1.0 says: 200, or 400 for a token that is not to be believed. */
async function logout(deps: SsoDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const token = request.body instanceof URLSearchParams ? (request.body.get('logout_token') ?? '') : '';
  try {
    await endByProvider(deps, {
      tenantId: tenantOf(request),
      token,
      requestId: request.id,
      address: addressOf(request),
    });
    return reply.code(200).send();
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof SsoRefused)) throw error;
    deps.rt.log.warn({ error: error.message }, 'sso.logout_refused');
    const isAway = error instanceof ProviderError && error.failure === 'unreachable';
    return reply.code(isAway ? 503 : 400).send({ error: isAway ? 'temporarily_unavailable' : 'invalid_request' });
  }
}

/** Sends the browser to the page of sign-in, which says what happened. Faults of ours are answered as everywhere. */
function refuse(
  { rt }: SsoDeps,
  reply: FastifyReply,
  { error, tenantId }: { readonly error: unknown; readonly tenantId: TenantId | null },
): FastifyReply {
  const isRefusal = error instanceof SsoRefused;
  if (!isRefusal && !(error instanceof ProviderError)) throw error;
  rt.log.warn({ error: error.message }, 'sso.failed');
  const about = isRefusal ? error.tenantId : tenantId;
  const why = isRefusal ? error.problem : error.failure;
  const query = new URLSearchParams({ ...(about === null ? {} : { sso: about }), sso_problem: why });
  return reply.redirect(`${publicOrigin(rt.config)}/sign-in?${query}`, 302);
}

/** The ID of a connection is that of its tenant. @throws ApiProblem not_found */
function tenantOf(request: FastifyRequest): TenantId {
  const { id } = request.params as { readonly id: string };
  if (!isUuid(id.toLowerCase())) throw new ApiProblem('not_found');
  return id.toLowerCase() as TenantId;
}

function cookieOf(request: Pick<FastifyRequest, 'protocol'>, secret: string | null): string {
  const isSecure = request.protocol === 'https';
  const age = secret === null ? 0 : SSO_STATE_MS / 1000;
  return `${COOKIE}=${secret ?? ''}; Path=${COOKIE_PATH}; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? '; Secure' : ''}`;
}

function secretIn(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
  return SECRET.test(value) ? value : null;
}
