import { audit } from '#access/actions/audit';
import type { AuditAction } from '#access/domain/audit';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { pageOfNumbered } from '#core/network/numbered-list';
import type { ListWindow, Page } from '#core/paging';
import type { Flow, FlowDetails, SavedFlowJson } from '#flows/domain/flow';
import type { NewFlow } from '#flows/domain/flow-network';
import { accessTo, chooseAccount } from '#templates/actions/template-deps';
import { listTemplateAccounts } from '#templates/store/template-accounts';
import { type FlowDeps, type OfFlow, reachFlow, requireFlowAnswer } from './reach-flow.ts';

/** A request about one flow. */
export interface FlowRequest extends Requester, OfFlow {}

/** Where flows are listed or created. */
export interface OfAccounts {
  readonly tenantId: TenantId;
  /** Null: all accounts of the tenant, or the only one. */
  readonly networkAccountId: string | null;
}

/**
 * A page of the flows of a tenant, as the network has them at this moment: people change them there too, so nothing is kept here.
 * @throws ApiProblem conflict, refused_by_network, network_unreachable
 */
export async function listTenantFlows(parts: FlowDeps, of: OfAccounts, window: ListWindow): Promise<Page<Flow>> {
  const { tenantId, networkAccountId } = of;
  const accounts = await listTemplateAccounts(parts.db, tenantId);
  const flows: Flow[] = [];
  for (const account of accounts) {
    if (networkAccountId !== null && account.networkAccountId !== networkAccountId) continue;
    flows.push(...requireFlowAnswer(await parts.network.listFlows(await accessTo(parts, tenantId, account))));
  }
  return pageOfNumbered(flows, ({ flowId }) => flowId, window);
}

/** One flow, with its preview and its health. @throws ApiProblem not_found, and as listTenantFlows */
export async function readFlow(parts: FlowDeps, of: OfFlow): Promise<Flow> {
  return (await reachFlow(parts, of)).flow;
}

/**
 * Creates a draft in the account that is named, in that of the flow that is copied, or in the only one of the tenant. Whether a request
 * that the network did not answer has created one is seen in the list.
 * @throws ApiProblem unknown_network_account; validation_failed for a copy of what is not in the account; and as listTenantFlows
 */
export async function createFlow(parts: FlowDeps, request: Requester & OfAccounts, wish: NewFlow): Promise<Flow> {
  const { tenantId } = request;
  const wanted = await accountOfNew(parts, request, wish);
  const at = await accessTo(parts, tenantId, await chooseAccount(parts, tenantId, wanted));
  const { flowId, problems } = requireFlowAnswer(await parts.network.createFlow(at, wish));
  const { name, categories } = wish;
  await auditFlow(parts, { ...request, flowId }, 'flow.created', { name });
  const { networkAccountId } = at;
  const unread = { jsonVersion: null, preview: null, health: null };
  return { flowId, name, status: 'draft', categories, networkAccountId, problems, ...unread };
}

/** The token of an account may reach flows of other tenants: the network alone would copy them. */
async function accountOfNew(
  parts: FlowDeps,
  { tenantId, networkAccountId: wanted }: OfAccounts,
  { cloneFlowId }: NewFlow,
): Promise<string | null> {
  if (cloneFlowId === null) return wanted;
  const { networkAccountId } = await requireSource(parts, tenantId, cloneFlowId);
  if (wanted !== null && wanted !== networkAccountId) throw unknownSource();
  return networkAccountId;
}

async function requireSource(parts: FlowDeps, tenantId: TenantId, flowId: string): Promise<Flow> {
  try {
    return await readFlow(parts, { tenantId, flowId });
  } catch (error) {
    throw error instanceof ApiProblem && error.code === 'not_found' ? unknownSource() : error;
  }
}

function unknownSource(): ApiProblem {
  const details = [{ path: 'body.clone_flow_id', message: UNKNOWN_SOURCE }];
  return new ApiProblem('validation_failed', { sentence: UNKNOWN_SOURCE, details });
}

/** The refusal of a copy. */
export const UNKNOWN_SOURCE = 'clone_flow_id does not name a flow of this account.';

/**
 * Changes what is said of a flow. It is read first, as before every change, so that nothing which can fail comes after the change.
 * @throws ApiProblem as readFlow
 */
export async function changeFlow(parts: FlowDeps, request: FlowRequest, change: Partial<FlowDetails>): Promise<Flow> {
  const { at, flow } = await reachFlow(parts, request);
  requireFlowAnswer(await parts.network.changeFlow(at, flow.flowId, change));
  await auditFlow(parts, request, 'flow.changed', { fields: Object.keys(change) });
  return { ...flow, ...change };
}

/** Stores the JSON of a draft. @throws ApiProblem as readFlow */
export async function setFlowJson(parts: FlowDeps, request: FlowRequest, json: JsonObject): Promise<SavedFlowJson> {
  const { at, flow } = await reachFlow(parts, request);
  const stored = requireFlowAnswer(await parts.network.setFlowJson(at, flow.flowId, json));
  if (stored.saved) await auditFlow(parts, request, 'flow.json_changed', { validation_errors: stored.problems.length });
  return stored;
}

/** Makes a draft one that can be sent to customers; it cannot be changed then. @throws ApiProblem as readFlow */
export async function publishFlow(parts: FlowDeps, request: FlowRequest): Promise<Flow> {
  const { at, flow } = await reachFlow(parts, request);
  requireFlowAnswer(await parts.network.publishFlow(at, flow.flowId));
  await auditFlow(parts, request, 'flow.published', { name: flow.name });
  return { ...flow, status: 'published' };
}

/** Ends the use of a published flow: it can no longer be sent or opened. @throws ApiProblem as readFlow */
export async function deprecateFlow(parts: FlowDeps, request: FlowRequest): Promise<Flow> {
  const { at, flow } = await reachFlow(parts, request);
  requireFlowAnswer(await parts.network.deprecateFlow(at, flow.flowId));
  await auditFlow(parts, request, 'flow.deprecated', { name: flow.name });
  return { ...flow, status: 'deprecated' };
}

/** Deletes a draft. @throws ApiProblem as readFlow */
export async function deleteFlow(parts: FlowDeps, request: FlowRequest): Promise<void> {
  const { at, flow } = await reachFlow(parts, request);
  requireFlowAnswer(await parts.network.deleteFlow(at, flow.flowId));
  await auditFlow(parts, request, 'flow.deleted', { name: flow.name });
}

/** @param details names, never the texts of a form: the log is kept for good */
function auditFlow(
  { rt, db }: Pick<FlowDeps, 'rt' | 'db'>,
  { tenantId, origin, flowId }: FlowRequest,
  action: AuditAction,
  details: JsonObject,
): Promise<void> {
  return db.transaction((tx) => audit(rt, tx, { tenantId, origin, action, targetId: flowId, details }));
}
