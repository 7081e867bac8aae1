import { audit } from '#access/actions/audit';
import type { AuditAction } from '#access/domain/audit';
import { type TokenProvider, TokenUnreadable } from '#accounts/actions/account-token';
import type { Asked } from '#accounts/domain/account-network';
import { findPhoneNumber } from '#accounts/store/phone-numbers';
import type { BusinessNetwork, NumberAtNetwork } from '#business/domain/business-network';
import { refusalAtNetwork } from '#business/domain/refusal';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Dependencies of everything about how a business presents itself. The network is passed in: an action makes no outside calls. */
export interface BusinessDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly network: BusinessNetwork;
  readonly tokens: TokenProvider;
}

/** A request about one number of the tenant. */
export interface BusinessRequest extends Requester {
  readonly phoneNumberId: string;
}

/**
 * A number of the tenant with its access token.
 * @throws ApiProblem not_found; conflict when the token of its account cannot be used
 */
export async function reachNumber(
  { db, tokens }: Pick<BusinessDeps, 'db' | 'tokens'>,
  { tenantId, phoneNumberId }: { readonly tenantId: TenantId; readonly phoneNumberId: string },
): Promise<NumberAtNetwork> {
  const number = requireFound(await findPhoneNumber(db, tenantId, phoneNumberId));
  try {
    return { phoneNumberId: number.phoneNumberId, token: await tokens.ofAccount(tenantId, number.accountId) };
  } catch (error) {
    if (error instanceof TokenUnreadable) throw new ApiProblem('conflict', { sentence: error.message });
    throw error;
  }
}

/**
 * Writes what was changed at the network into the audit log.
 * @param details names of fields, codes and public names; never a text for customers or a PIN: the log is kept for good
 */
export function auditNumber(
  { rt, db }: Pick<BusinessDeps, 'rt' | 'db'>,
  { tenantId, origin, phoneNumberId }: BusinessRequest,
  action: AuditAction,
  details: JsonObject = {},
): Promise<void> {
  return db.transaction((tx) => audit(rt, tx, { tenantId, origin, action, targetId: phoneNumberId, details }));
}

/** What the network answered. @throws ApiProblem refused_by_network, network_unreachable */
export function requireAnswer<T>(asked: Asked<T>): T {
  if (!asked.ok) throw refusalAtNetwork(asked.failure);
  return asked.value;
}
