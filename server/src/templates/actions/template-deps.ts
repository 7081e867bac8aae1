import { type TokenProvider, TokenUnreadable } from '#accounts/actions/account-token';
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
  if (wanted !== null) return 'network_account_id does not name a network account of this tenant.';
  if (accounts.length === 0) return 'This tenant has no network account yet. Link one.';
  const ids = accounts.map((account) => account.networkAccountId).join(', ');
  return `This tenant has several network accounts. Set network_account_id to one of ${ids}.`;
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

/** The refusal of a request that the network did not do. */
export function refusalBy(failure: TransferFailure): ApiProblem {
  const sentence = describeFailure(failure);
  return new ApiProblem(isPassing(failure) ? 'network_unreachable' : 'refused_by_network', { sentence });
}
