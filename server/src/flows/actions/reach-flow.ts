import type { TokenProvider } from '#accounts/actions/account-token';
import type { Asked } from '#accounts/domain/account-network';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Flow } from '#flows/domain/flow';
import type { FlowNetwork } from '#flows/domain/flow-network';
import { flowRefusal } from '#flows/domain/refusal';
import type { Runtime } from '#runtime/runtime';
import { accessTo } from '#templates/actions/template-deps';
import type { AccountAccess } from '#templates/domain/network';
import { listTemplateAccounts, type TemplateAccount } from '#templates/store/template-accounts';

/** Dependencies of everything about flows. The network is passed in: an action makes no outside calls. */
export interface FlowDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly network: FlowNetwork;
  readonly tokens: TokenProvider;
}

/** A flow that a request is about. */
export interface OfFlow {
  readonly tenantId: TenantId;
  readonly flowId: string;
}

/** A flow of the tenant, as the network has it at this moment, and how to reach it. */
export interface ReachedFlow {
  readonly at: AccountAccess;
  readonly flow: Flow;
}

/**
 * The flow, in whichever account of the tenant it is. A token may reach flows of other accounts, also of other tenants: those do not exist
 * here. What keeps one account from being asked counts only when the flow is in none of the others.
 * @throws ApiProblem not_found; conflict, refused_by_network, network_unreachable
 */
export async function reachFlow(parts: FlowDeps, { tenantId, flowId }: OfFlow): Promise<ReachedFlow> {
  const accounts = await listTemplateAccounts(parts.db, tenantId);
  const own = new Set(accounts.map(({ networkAccountId }) => networkAccountId));
  let problem = new ApiProblem('not_found');
  for (const account of accounts) {
    const asked = await askAccount(parts, tenantId, account, flowId);
    if (asked instanceof ApiProblem) problem = asked;
    else if (asked !== null && own.has(asked.flow.networkAccountId)) return asked;
  }
  throw problem;
}

async function askAccount(
  parts: FlowDeps,
  tenantId: TenantId,
  account: TemplateAccount,
  flowId: string,
): Promise<ReachedFlow | ApiProblem | null> {
  try {
    const at = await accessTo(parts, tenantId, account);
    const flow = requireFlowAnswer(await parts.network.findFlow(at, flowId));
    return flow && { at, flow };
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

/** What the network answered. @throws ApiProblem refused_by_network, network_unreachable */
export function requireFlowAnswer<T>(asked: Asked<T>): T {
  if (!asked.ok) throw flowRefusal(asked.failure);
  return asked.value;
}
