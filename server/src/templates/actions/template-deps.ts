import { type TokenProvider, TokenUnreadable } from '#accounts/actions/account-token';
import type { Asked } from '#accounts/domain/account-network';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { describeFailure, isPassing, type TransferFailure } from '#core/network/transfer-failure';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { AccountAccess, TemplateNetwork } from '#templates/domain/network';
import { listTemplateAccounts, type TemplateAccount } from '#templates/store/template-accounts';

/** Dependencies of the actions on templates. The network is passed in: an action makes no outside calls. */
export interface TemplateDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly network: TemplateNetwork;
  readonly tokens: TokenProvider;
}

/**
 * The account that a template is submitted to: the requested one, or the only one of the tenant.
 * @throws ApiProblem unknown_network_account
 */
export async function chooseAccount(
  parts: Pick<TemplateDeps, 'db'>,
  tenantId: TenantId,
  wanted: string | null,
): Promise<TemplateAccount> {
  const accounts = await listTemplateAccounts(parts.db, tenantId);
  const [only, ...others] = accounts;
  const chosen = wanted === null ? only : accounts.find((account) => account.networkAccountId === wanted);
  if (chosen !== undefined && (wanted !== null || others.length === 0)) return chosen;
  throw new ApiProblem('unknown_network_account', { sentence: accountSentence(accounts, wanted) });
}

function accountSentence(accounts: readonly TemplateAccount[], wanted: string | null): string {
  if (wanted !== null) return 'network_account_id is not an account of this tenant at the network.';
  if (accounts.length === 0) return 'This tenant has no account at the network yet: link one.';
  const ids = accounts.map((account) => account.networkAccountId).join(', ');
  return `This tenant has several accounts at the network: name one of ${ids} in network_account_id.`;
}

/** @throws ApiProblem conflict when the token of the account cannot be used */
export async function accessTo(
  { tokens }: Pick<TemplateDeps, 'tokens'>,
  tenantId: TenantId,
  { networkAccountId, accountId }: TemplateAccount,
): Promise<AccountAccess> {
  try {
    return { networkAccountId, token: await tokens.ofAccount(tenantId, accountId) };
  } catch (error) {
    if (error instanceof TokenUnreadable) throw new ApiProblem('conflict', { sentence: error.message });
    throw error;
  }
}

/** What the network gave. @throws ApiProblem refused_by_network, network_unreachable */
export function requireAnswer<T>(asked: Asked<T>): T {
  if (asked.ok) return asked.value;
  throw refusalBy(asked.failure);
}

/** The refusal of a request that the network did not do. */
export function refusalBy(failure: TransferFailure): ApiProblem {
  const sentence = describeFailure(failure);
  return new ApiProblem(isPassing(failure) ? 'network_unreachable' : 'refused_by_network', { sentence });
}
