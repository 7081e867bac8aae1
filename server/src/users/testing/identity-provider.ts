import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
// @ts-expect-error The package comes without types; `TestedProvider` is the part that is used here.
import UntypedProvider from 'oidc-provider';

interface TestedProvider {
  callback(): RequestListener;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}
const Provider = UntypedProvider as new (issuer: string, configuration: object) => TestedProvider;

/** Who signs in at the provider next. */
export interface Account {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

export const CLIENT = { id: 'postrider', secret: 'a-secret-that-nobody-guesses-0123456789' } as const;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const SCOPE = 'openid profile email';

/** A real identity provider on loopback, at which whoever is told to signs in without being asked. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Who signs in from now on. */
  account: Account;
  /** Requests that came so far, by path. */
  readonly asked: string[];
  /** A logout token as the provider signs it, with what differs from a good one. */
  logoutToken(claims: JWTPayload, without?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** @param redirectUri where it sends browsers back to */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own: { account: Account } = { account: { sub: 'nobody' } };
  const asked: string[] = [];
  const provider = new Provider(
    issuer,
    configuration(key, redirectUri, () => own.account),
  );
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const path = request.url ?? '';
    asked.push(path.split('?')[0] ?? '');
    if (!path.startsWith('/interaction/')) return answer(request, response);
    provider.interactionFinished(request, response, { login: { accountId: own.account.sub } });
  });
  return {
    issuer,
    asked,
    get account() {
      return own.account;
    },
    set account(account) {
      own.account = account;
    },
    logoutToken: (claims, without = []) => {
      const usual = { iss: issuer, aud: CLIENT.id, jti: 'once', events: { [LOGOUT_EVENT]: {} } };
      const kept = Object.entries({ ...usual, ...claims }).filter(([name]) => !without.includes(name));
      const token = new SignJWT(Object.fromEntries(kept)).setProtectedHeader({
        alg: 'RS256',
        kid: 'test',
        typ: 'logout+jwt',
      });
      return token.setIssuedAt().setExpirationTime('2 min').sign(privateKey);
    },
    close: () => closed(server),
  };
}

function configuration(key: object, redirectUri: string, account: () => Account): object {
  return {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [key] },
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email'] },
    pkce: { required: () => true },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ ...account(), sub: id }) }),
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  };
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface GrantContext {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly provider: { readonly Grant: new (of: object) => Grant };
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
