import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { hashKey } from '#access/actions/authenticate';
import { CellAway, type CellLocator } from '#cells/actions/cell-locator';
import { MAIN_CELL, type NameKind } from '#cells/domain/cell';
import { networkAuthorization } from '#compat/http/network-form';
import { mayBeApiKey } from '#core/caller/api-key';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { objectOf } from '#core/json-fields';
import { bearerKey } from '#http/plugins/auth';
import { toProblem } from '#http/plugins/errors';
import { sessionToken } from '#http/plugins/session-cookie';
import { SIMULATOR_PREFIX } from '#http/plugins/simulator-proxy';
import { hashToken } from '#users/actions/authenticate-session';
import { peekJson } from './peek-body.ts';

/** Serves requests of one cell. */
export type CellListener = RequestListener;

export interface FrontDoorDeps {
  readonly locator: CellLocator;
  /** By the ids of the cells that this process serves besides the main one. */
  readonly listeners: () => ReadonlyMap<string, CellListener>;
  /** Carries a passkey challenge, by its hash, to a cell. */
  readonly carryChallenge: (challengeHash: string, cellId: string) => Promise<void>;
  /** Names a request that is answered here. */
  readonly requestId: (request: IncomingMessage) => string;
}

/** Whom a request is about, as far as it says so itself. */
interface Named {
  readonly kind: NameKind;
  readonly name: string;
  /** The hash of the challenge that was made for whoever signs in with a passkey. */
  readonly challengeHash?: string;
}

/**
 * Puts itself in front of the routes of the main cell: hands each request to the cell in which its caller lives. A request that names
 * nobody, or somebody whom no cell knows, is for the main one, which says what is wrong with it. Without another cell nothing is looked at.
 */
export function installFrontDoor(server: Server, deps: FrontDoorDeps): void {
  const [own] = server.listeners('request') as CellListener[];
  if (own === undefined) throw new Error('The server of the main cell has no routes yet.');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const listeners = deps.listeners();
    const named = listeners.size === 0 ? null : namedBy(request);
    if (named === null) own(request, response);
    else void handOver(deps, { request, response, own }, named);
  });
}

interface Handing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly own: CellListener;
}

async function handOver(
  deps: FrontDoorDeps,
  { request, response, own }: Handing,
  naming: Named | Promise<Named | null>,
): Promise<void> {
  try {
    const cellId = await cellOf(deps, await naming);
    // Whoever asked is gone.
    if (request.destroyed && !request.complete) return;
    const listener = cellId === MAIN_CELL ? own : deps.listeners().get(cellId);
    if (listener === undefined) throw new CellAway([cellId]);
    listener(request as Parameters<CellListener>[0], response as Parameters<CellListener>[1]);
  } catch (error) {
    refuse(deps, { request, response }, error);
  }
}

async function cellOf(deps: FrontDoorDeps, named: Named | null): Promise<string> {
  if (named === null) return MAIN_CELL;
  const [cellId = MAIN_CELL] = await deps.locator.locate(named.kind, named.name);
  if (named.challengeHash !== undefined && cellId !== MAIN_CELL) await deps.carryChallenge(named.challengeHash, cellId);
  return cellId;
}

/** Nothing was read of the body: it is thrown away, so that the connection can be used again. */
function refuse({ requestId }: FrontDoorDeps, { request, response }: Omit<Handing, 'own'>, error: unknown): void {
  const problem =
    error instanceof CellAway ? new ApiProblem('storage_unavailable', { cause: error }) : toProblem(error);
  const body = JSON.stringify(problem.toBody());
  response.writeHead(problem.status, {
    ...problem.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId(request),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(body);
  request.resume();
}

const SSO_OF_TENANT = /^\/v1\/sso\/([0-9a-fA-F-]{36})\/(?:start|logout)$/;
/** Where providers and the network send browsers back to; the state begins with the tenant. */
const WITH_STATE = /^\/v1\/(?:sso\/callback|[^/]+\/oauth\/callback)$/;

/** Where sessions count beside keys. */
const OF_PEOPLE = ['/v1/', SIMULATOR_PREFIX] as const;

function namedBy(request: IncomingMessage): Named | Promise<Named | null> | null {
  const { url = '/', method } = request;
  const [path = '/', query = ''] = url.split('?', 2);
  if (method === 'POST' && path === '/v1/sessions') return peekJson(request).then((body) => bySignIn(request, body));
  if (method === 'POST' && path === '/v1/recoveries') return peekJson(request).then(({ email }) => byEmail(email));
  if (method === 'POST' && path === '/v1/passkeys/sessions') return peekJson(request).then(byPasskey);
  const [, ofTenant] = SSO_OF_TENANT.exec(path) ?? [];
  if (ofTenant !== undefined) return { kind: 'tenant', name: ofTenant.toLowerCase() };
  if (WITH_STATE.test(path)) return byState(new URLSearchParams(query).get('state'));
  // Sessions mean nothing on the paths of the network, and keys may be in another header.
  return byCredential(
    OF_PEOPLE.some((prefix) => path.startsWith(prefix))
      ? request
      : { headers: { authorization: networkAuthorization(request) } },
  );
}

/** A key counts, whatever else the request has, as in `http/plugins/auth.ts`. */
function byCredential({ headers }: Pick<IncomingMessage, 'headers'>): Named | null {
  if (headers.authorization !== undefined) {
    const key = bearerKey(headers.authorization);
    return key !== null && mayBeApiKey(key) ? { kind: 'key', name: hashKey(key) } : null;
  }
  const token = sessionToken(headers.cookie);
  return token === null ? null : { kind: 'session', name: hashToken(token) };
}

function bySignIn(request: IncomingMessage, { method, token, email }: JsonObject): Named | null {
  // As the schema reads it: without a method it is a link.
  if ((method ?? 'link') === 'link' && typeof token === 'string') return { kind: 'link', name: hashToken(token) };
  if (method === 'password') return byEmail(email);
  return method === 'switch' ? byCredential({ headers: { cookie: request.headers.cookie } }) : null;
}

function byEmail(email: unknown): Named | null {
  return typeof email === 'string' ? { kind: 'email', name: email.trim() } : null;
}

function byPasskey(body: JsonObject): Named | null {
  const { id, response } = objectOf(body.credential);
  if (typeof id !== 'string') return null;
  const challenge = challengeIn(objectOf(response).clientDataJSON);
  return { kind: 'passkey', name: id, ...(challenge !== null && { challengeHash: hashToken(challenge) }) };
}

function challengeIn(clientData: unknown): string | null {
  if (typeof clientData !== 'string') return null;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as JsonObject;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

function byState(state: string | null): Named | null {
  const [tenantId = ''] = (state ?? '').split('.');
  return tenantId === '' ? null : { kind: 'tenant', name: tenantId.toLowerCase() };
}
