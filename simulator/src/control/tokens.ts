import type { IssuedToken } from '../accounts/token-registry.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalInteger, optionalString, readObject, refuseUnknown } from './fields.ts';

const MAX_SECONDS = 366 * 24 * 3600;

/** `GET /_sim/tokens`: what the dialog gave out. */
export function listTokens(sim: Simulation): ControlAnswer {
  return ok({ data: sim.tokens.list().map((issued) => present(sim, issued)) });
}

/** `POST /_sim/tokens {"waba_id", "app_id"?, "expires_in"?}`: a token without the dialog. */
export function issueToken(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['waba_id', 'app_id', 'expires_in']);
  const wabaId = optionalString(body, 'waba_id');
  if (wabaId === undefined) throw new InputError('Give "waba_id", the account that the token is for.');
  const seconds = optionalInteger(body, 'expires_in', 1, MAX_SECONDS);
  const nowMs = sim.clock.now();
  const issued = sim.tokens.issue({
    appId: optionalString(body, 'app_id') ?? sim.settings.appId ?? '555000',
    userId: '122000',
    businessId: '100200300',
    wabaIds: [wabaId],
    scopes: [],
    issuedAtMs: nowMs,
    expiresAtMs: seconds === undefined ? null : nowMs + seconds * 1000,
  });
  return { status: 201, body: present(sim, issued) };
}

/** `POST /_sim/tokens/revoke {"token"}` or `{"waba_id"}`: the person takes the permission back; 190 from now on. */
export function revokeTokens(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['token', 'waba_id']);
  const token = optionalString(body, 'token');
  const wabaId = optionalString(body, 'waba_id');
  if (token === undefined && wabaId === undefined)
    throw new InputError('Give "token", or "waba_id" for all of its tokens.');
  const ofAccount = sim.tokens.list().filter((issued) => wabaId !== undefined && issued.wabaIds.includes(wabaId));
  const revoked = [...(token === undefined ? [] : [token]), ...ofAccount.map((issued) => issued.token)];
  for (const one of revoked) sim.tokens.revoke(one);
  return ok({ revoked: revoked.length });
}

function present(sim: Simulation, issued: IssuedToken): JsonObject {
  return {
    token: issued.token,
    app_id: issued.appId,
    waba_ids: issued.wabaIds,
    issued_at: new Date(issued.issuedAtMs).toISOString(),
    expires_at: issued.expiresAtMs === null ? null : new Date(issued.expiresAtMs).toISOString(),
    state: sim.tokens.stateOf(issued.token, sim.settings.tokens, sim.clock.now()),
  };
}
