/** `/{version}/oauth/access_token` and `/{version}/debug_token`: from the dialog's code to a token, and what a token is. */

import { tokenFault, tokenOf } from '../graph/authorise.ts';
import { type GraphCall, paramsOf, Refusal, refuseWith, requiredText, requireStep } from '../graph/call.ts';
import { networkError } from '../graph/errors.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { Grant } from './account-registry.ts';
import type { IssuedToken } from './token-registry.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging', 'public_profile'];
const EXPIRED = 36007;
const OTHER_ADDRESS = 36008;
const USED = 36009;
/** The user in whose name tokens are. */
const SYSTEM_USER = '122000';
const BUSINESS = '100200300';

/** Exchanges a code, once and in time, for a token. */
export function exchangeCode(sim: Simulation, call: GraphCall): JsonObject {
  requireStep(sim, 'oauth_token');
  const params = paramsOf(call);
  const appId = requiredText(params, 'client_id');
  requireSecret(sim, appId, requiredText(params, 'client_secret'));
  if (params.grant_type === 'client_credentials') {
    return { access_token: `${appId}|${sim.settings.appSecret}`, token_type: 'bearer' };
  }
  const grant = redeem(sim, requiredText(params, 'code'), appId, params.redirect_uri);
  const lifetime = sim.settings.oauthTokenSeconds;
  const nowMs = sim.clock.now();
  const issued = sim.tokens.issue({
    appId,
    userId: SYSTEM_USER,
    businessId: BUSINESS,
    wabaIds: grant.wabaIds,
    scopes: SCOPES,
    issuedAtMs: nowMs,
    expiresAtMs: lifetime === 0 ? null : nowMs + lifetime * 1000,
  });
  return { access_token: issued.token, token_type: 'bearer', ...(lifetime === 0 ? {} : { expires_in: lifetime }) };
}

/** "Code lives 30 seconds, single use"; the address of the redirect must be the same when there was one. */
function redeem(sim: Simulation, code: string, appId: string, redirectUri: unknown): Grant {
  const grant = sim.accounts.findGrant(code);
  if (grant === null || grant.appId !== appId) return refuseWith(100, 'The code is not valid for this app.', EXPIRED);
  if (grant.used) refuseWith(100, 'This code has been used.', USED);
  if (sim.clock.now() >= grant.expiresAtMs) refuseWith(100, 'This code has expired.', EXPIRED);
  if (grant.redirectUri !== null && redirectUri !== grant.redirectUri) {
    refuseWith(100, 'redirect_uri must be the one that the dialog was opened with.', OTHER_ADDRESS);
  }
  grant.used = true;
  return grant;
}

function requireSecret(sim: Simulation, appId: string, secret: string): void {
  const known = sim.settings.appId === null || sim.settings.appId === appId;
  if (known && secret === sim.settings.appSecret) return;
  throw new Refusal({
    ...networkError(1, 'The app or its secret is wrong.'),
    message: 'Error validating client secret.',
  });
}

/** What a token is and which accounts it reaches; a bad one is described too, with status 200. */
export function debugToken(sim: Simulation, call: GraphCall): JsonObject {
  requireStep(sim, 'debug_token');
  const own = tokenOf(call.request, call.path.query);
  if (own === null) return refuseWith(104, 'An access token is required to request this resource.');
  const bar = own.indexOf('|');
  if (bar > 0) requireSecret(sim, own.slice(0, bar), own.slice(bar + 1));
  const input = requiredText(paramsOf(call), 'input_token');
  const state = sim.tokens.stateOf(input, sim.settings.tokens, sim.clock.now());
  const issued = sim.tokens.find(input);
  if (state === 'valid') return { data: describe(issued, sim.settings.appId) };
  const { code, message, subcode } = tokenFault(state);
  const app = issued === null ? {} : { app_id: issued.appId, user_id: issued.userId };
  return { data: { ...app, is_valid: false, scopes: [], error: { code, message, subcode } } };
}

function describe(issued: IssuedToken | null, appId: string | null): JsonObject {
  const wabaIds = issued?.wabaIds;
  // "Missing target_ids: all."
  const reach = wabaIds === undefined ? {} : { target_ids: wabaIds };
  return {
    app_id: issued?.appId ?? appId ?? '555000',
    type: 'SYSTEM_USER',
    application: 'Example App',
    data_access_expires_at: 0,
    expires_at: issued?.expiresAtMs == null ? 0 : Math.floor(issued.expiresAtMs / 1000),
    is_valid: true,
    issued_at: Math.floor((issued?.issuedAtMs ?? 0) / 1000),
    scopes: SCOPES,
    granular_scopes: SCOPES.slice(0, 2).map((scope) => ({ scope, ...reach })),
    user_id: issued?.userId ?? SYSTEM_USER,
  };
}
