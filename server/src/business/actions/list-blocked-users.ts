import type { NetworkPage, NetworkWindow } from '#business/domain/business-network';
import type { TenantId } from '#core/ids';
import { type BusinessDeps, reachNumber, requireAnswer } from './reach-number.ts';

/**
 * Whom the network blocks for a number, whoever asked it to.
 * @throws ApiProblem not_found, conflict, refused_by_network, network_unreachable
 */
export async function listBlockedUsers(
  parts: Pick<BusinessDeps, 'db' | 'tokens' | 'network'>,
  of: { readonly tenantId: TenantId; readonly phoneNumberId: string },
  window: NetworkWindow,
): Promise<NetworkPage<string>> {
  return requireAnswer(await parts.network.listBlocked(await reachNumber(parts, of), window));
}
