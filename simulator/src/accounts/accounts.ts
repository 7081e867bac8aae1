/** Business accounts as nodes, who sees them, and which apps are subscribed to them. */
import { accountFigures } from '../figures/account-figures.ts';
import { tokenOf } from '../graph/authorise.ts';
import { type GraphCall, paramsOf, refuseWith, requireStep, requireToken, selectFields } from '../graph/call.ts';
import { pageOf } from '../graph/paging.ts';
import type { JsonObject } from '../json.ts';
import { isWebAddress } from '../send/payloads/text.ts';
import type { Simulation } from '../simulation.ts';
import { requireAccount } from './require-account.ts';

const DEFAULT_FIELDS = 'id,name,timezone_id,message_template_namespace';
const OWNER = { id: '100200300', name: 'Example Business' };
const DEFAULT_APP = '555000';

/** `GET /{version}/{waba_id}` */
export function getAccount(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'account');
  const fields = paramsOf(call).fields ?? DEFAULT_FIELDS;
  return selectFields({ ...accountNode(sim, wabaId), ...accountFigures(sim, wabaId, fields) }, fields);
}

/** `POST /{version}/{waba_id} {is_enabled_for_insights}`: what became of its templates is shown from now on. */
export function changeAccount(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'account');
  const { is_enabled_for_insights: enabled } = paramsOf(call);
  if (String(enabled) !== 'true') refuseWith(100, 'Param is_enabled_for_insights must be true.');
  sim.accounts.enableInsights(wabaId);
  return { success: true };
}

/** `GET /{version}/{business_id}/owned_whatsapp_business_accounts` and `client_…`: what the token reaches. */
export function listAccounts(sim: Simulation, call: GraphCall): JsonObject {
  requireToken(sim, call);
  requireStep(sim, 'account');
  const params = paramsOf(call);
  const token = tokenOf(call.request, call.path.query) ?? '';
  const all = [...new Set(sim.numbers.list().map((number) => number.wabaId))];
  const nodes = all.filter((id) => sim.tokens.reaches(token, id)).map((id) => ({ ...accountNode(sim, id), id }));
  const { items, paging } = pageOf(call, nodes, params);
  return { data: items.map((node) => selectFields(node, params.fields ?? DEFAULT_FIELDS)), paging };
}

/** `POST /{version}/{waba_id}/subscribed_apps`: the account's callbacks come from now on. */
export function subscribeApp(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'subscribe');
  const { override_callback_uri: url } = paramsOf(call);
  if (url !== undefined && !(typeof url === 'string' && isWebAddress(url))) {
    refuseWith(100, 'Param override_callback_uri must be an http or https address.');
  }
  sim.accounts.subscribe(wabaId, { appId: appOf(sim, call), overrideUrl: typeof url === 'string' ? url : null });
  return { success: true };
}

/** `GET /{version}/{waba_id}/subscribed_apps` */
export function listSubscribedApps(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  return {
    data: sim.accounts.subscriptionsOf(wabaId).map(({ appId, overrideUrl }) => ({
      whatsapp_business_api_data: { id: appId, name: 'Example App', link: `https://app.example/${appId}` },
      ...(overrideUrl === null ? {} : { override_callback_uri: overrideUrl }),
    })),
  };
}

/** `DELETE /{version}/{waba_id}/subscribed_apps`: no callback of the account comes any more. */
export function unsubscribeApp(sim: Simulation, call: GraphCall): JsonObject {
  sim.accounts.unsubscribe(requireAccount(sim, call));
  return { success: true };
}

function appOf(sim: Simulation, call: GraphCall): string {
  const issued = sim.tokens.find(tokenOf(call.request, call.path.query) ?? '');
  return issued?.appId ?? sim.settings.appId ?? DEFAULT_APP;
}

function accountNode(sim: Simulation, wabaId: string): JsonObject {
  const first = sim.numbers.list().find((number) => number.wabaId === wabaId);
  return {
    id: wabaId,
    name: first === undefined ? 'Example Shop' : sim.accounts.detailsOf(first.phoneNumberId).verifiedName,
    currency: 'USD',
    timezone_id: '1',
    message_template_namespace: `ns_${wabaId}`,
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    country: 'US',
    ownership_type: 'CLIENT_OWNED',
    owner_business_info: OWNER,
  };
}
