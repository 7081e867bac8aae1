import { createRemoteJWKSet, customFetch as fetchOfKeys, type JWTPayload, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client';
import { Agent, fetch as request } from 'undici';
import type { TenantId } from '#core/ids';
import type { Clock } from '#runtime/clock';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { TtlCache } from '#runtime/ttl-cache';
import {
  type IdentityProviders,
  type ProviderClaims,
  type ProviderClient,
  type ProviderDescription,
  ProviderError,
  type ProviderLogout,
  type SignInProof,
} from '#users/domain/sso';
import { parseWebhookAllow } from '#webhooks/domain/webhook-address';
import { addressFault, guardedLookup } from './public-hosts.ts';

/** Of each request to a provider. A person waits for it. */
const TIMEOUT_S = 5;
/** Metadata and keys of a provider are megabytes nowhere. */
const MAX_ANSWER_BYTES = 512 * 1024;
/** How long what a provider says of itself is believed. Keys that it adds are asked for when they are used. */
const REMEMBER_MS = 10 * 60_000;
const MAX_PROVIDERS = 1_000;
/** Requests of one tenant that wait for its provider, in this process; a silent one holds no more than these. */
const MAX_WAITING = 10;
/** A logout token that was made earlier is a repetition. */
const LOGOUT_AGE = '5 min';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface Provider {
  readonly config: Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
}

/** A client of the identity providers of tenants, which are hosts that nobody has vetted, as those of webhooks are. */
export function makeIdentityProviders(config: Config, clock: Clock): IdentityProviders & { close(): Promise<void> } {
  const allow = parseWebhookAllow(config.webhookAllow);
  const lookup = makeNameLookup(config, { clock, asksSystem: (name) => allow.hosts.has(name) });
  const agent = new Agent({
    connect: { lookup: guardedLookup(allow, lookup), timeout: TIMEOUT_S * 1000 },
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const guardedFetch = async (url: string, options: object): Promise<Response> => {
    const fault = addressFault(allow, url);
    if (fault !== null) throw new ProviderError('refused', `The address ${url} ${fault}.`);
    return (await request(url, { ...options, redirect: 'manual', dispatcher: agent })) as unknown as Response;
  };
  const providers = new TtlCache<Provider>({
    clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_PROVIDERS,
    read: (client) => discover(JSON.parse(client) as ProviderClient, guardedFetch),
  });
  const bounded = boundedPerTenant();
  const ask = <T>(client: ProviderClient, work: (provider: Provider) => Promise<T>): Promise<T> =>
    bounded(client.tenantId, async () => work(await providers.of(JSON.stringify(client))));
  return {
    issuerFault: (issuer) => addressFault(allow, issuer),
    signInUrl: (client, proof, scopes) => ask(client, (provider) => signInUrl(provider, proof, scopes)),
    readPerson: (client, proof, answer) => ask(client, (provider) => readPerson(provider, proof, answer)),
    describe: (tenantId, issuer) => bounded(tenantId, () => describe(tenantId, issuer, guardedFetch)),
    readLogout: (client, token) =>
      ask(client, (provider) => readLogout(provider, token, { audience: client.clientId, nowMs: clock.now() })),
    close: () => agent.destroy(),
  };
}

/** Does work for a tenant, unless too many requests of that tenant wait already. What fails throws a `ProviderError`. */
function boundedPerTenant(): <T>(tenantId: TenantId, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, number>();
  return async (tenantId, work) => {
    const count = waiting.get(tenantId) ?? 0;
    if (count >= MAX_WAITING) throw new ProviderError('unreachable', 'Too many requests wait for this provider.');
    waiting.set(tenantId, count + 1);
    try {
      return await work();
    } catch (error) {
      throw asProviderError(error as Error);
    } finally {
      const left = (waiting.get(tenantId) ?? 1) - 1;
      if (left === 0) waiting.delete(tenantId);
      else waiting.set(tenantId, left);
    }
  };
}

async function signInUrl({ config }: Provider, proof: SignInProof, scopes: readonly string[]): Promise<string> {
  const url = buildAuthorizationUrl(config, {
    redirect_uri: proof.redirectUri,
    scope: ['openid', ...scopes].join(' '),
    state: proof.state,
    nonce: proof.nonce,
    code_challenge: await calculatePKCECodeChallenge(proof.codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

async function readPerson(
  { config }: Provider,
  proof: SignInProof,
  { url, groupsClaim }: { readonly url: URL; readonly groupsClaim: string },
): Promise<ProviderClaims> {
  const answer = await authorizationCodeGrant(config, url, {
    expectedState: proof.state,
    expectedNonce: proof.nonce,
    pkceCodeVerifier: proof.codeVerifier,
    idTokenExpected: true,
  });
  const claims = answer.claims();
  if (claims === undefined) throw new ProviderError('refused', 'The provider sent no ID token.');
  const hasMore = claims[groupsClaim] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await fetchUserInfo(config, answer.access_token, claims.sub) : {};
  return personIn({ ...more, ...claims }, groupsClaim);
}

async function describe(tenantId: TenantId, issuer: string, fetch: Fetch): Promise<ProviderDescription> {
  const nobody = { tenantId, issuer, clientId: 'none', clientSecret: 'none', updatedMs: 0 };
  const { config, keys } = await discover(nobody, fetch);
  await keys.reload();
  return descriptionIn(config.serverMetadata());
}

async function readLogout(
  { config, keys }: Provider,
  token: string,
  { audience, nowMs }: { readonly audience: string; readonly nowMs: number },
): Promise<ProviderLogout> {
  const { issuer } = config.serverMetadata();
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience,
    maxTokenAge: LOGOUT_AGE,
    currentDate: new Date(nowMs),
    // Whoever knows the client secret is not the provider.
    algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
  });
  return { issuer, ...logoutIn(payload) };
}

type Fetch = (url: string, options: object) => Promise<Response>;

async function discover({ issuer, clientId, clientSecret }: ProviderClient, fetch: Fetch): Promise<Provider> {
  const isPlain = issuer.startsWith('http:');
  const known = await discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: TIMEOUT_S,
    [customFetch]: fetch,
    ...(isPlain ? { execute: [allowInsecureRequests] } : {}),
  });
  const metadata = known.serverMetadata();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const proveClient = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
  const config = new Configuration(metadata, clientId, undefined, proveClient(clientSecret));
  config.timeout = TIMEOUT_S;
  config[customFetch] = fetch;
  if (isPlain) allowInsecureRequests(config);
  if (metadata.jwks_uri === undefined) throw new ProviderError('refused', 'The provider names no keys.');
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
    timeoutDuration: TIMEOUT_S * 1000,
    [fetchOfKeys]: fetch,
  });
  return { config, keys };
}

/** @throws ProviderError for what nobody could sign in at */
function descriptionIn(metadata: ServerMetadata): ProviderDescription {
  const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint } = metadata;
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    throw new ProviderError('refused', 'The provider names no place to sign in at.');
  }
  return {
    authorizationEndpoint,
    tokenEndpoint,
    scopes: metadata.scopes_supported ?? null,
    claims: metadata.claims_supported ?? null,
    backChannelLogout: metadata.backchannel_logout_supported === true,
  };
}

function personIn(claims: Readonly<Record<string, unknown>>, groupsClaim: string): ProviderClaims {
  const groups = claims[groupsClaim];
  const list = Array.isArray(groups) ? groups : [groups];
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    sid: textOr(claims.sid),
    name: textOr(claims.name) ?? textOr(claims.preferred_username),
    email: textOr(claims.email),
    groups: list.filter((group): group is string => typeof group === 'string'),
  };
}

/** @throws ProviderError for what is signed, but no logout token: an ID token must not end sessions */
function logoutIn({ sub, sid, nonce, events }: JWTPayload): Omit<ProviderLogout, 'issuer'> {
  const told = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const [subject, session] = [textOr(sub), textOr(sid)];
  if (!told || nonce !== undefined || (subject === null && session === null)) {
    throw new ProviderError('refused', 'This is not a logout token.');
  }
  return { subject, sid: session };
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.replaceAll('\u0000', '') : null;
}

/** Codes of the libraries for a provider that did not answer, or not as one does. */
const NO_ANSWER = /TIMEOUT|^ERR_JWKS|^E[A-Z]+$|^UND_ERR|RESPONSE_IS_NOT|^OAUTH_PARSE_ERROR$/;

function asProviderError(error: Error): ProviderError {
  if (error instanceof ProviderError) return error;
  const causes = [error, error.cause as Error | undefined];
  const known = causes.find((cause): cause is ProviderError => cause instanceof ProviderError);
  if (known !== undefined) return known;
  const codes = causes.map((cause) => String((cause as { readonly code?: unknown } | undefined)?.code ?? ''));
  const isAway =
    error instanceof TypeError || error.name === 'TimeoutError' || codes.some((code) => NO_ANSWER.test(code));
  return new ProviderError(isAway ? 'unreachable' : 'refused', error.message, error);
}
