import type { DisplayName, Username, UsernameWish } from '#business/domain/number-names';
import type { TenantId } from '#core/ids';
import { auditNumber, type BusinessDeps, type BusinessRequest, reachNumber, requireAnswer } from './reach-number.ts';

interface OfNumber {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
}

/**
 * The name under which customers see a number, and what became of the latest request for another one.
 * @throws ApiProblem not_found, conflict, refused_by_network, network_unreachable
 */
export async function readDisplayName(parts: BusinessDeps, of: OfNumber): Promise<DisplayName> {
  return requireAnswer(await parts.network.readDisplayName(await reachNumber(parts, of)));
}

/**
 * Asks the network for another name, which it reviews. It is read first, so that nothing which can fail comes after the request.
 * @throws ApiProblem as readDisplayName
 */
export async function requestDisplayName(
  parts: BusinessDeps,
  request: BusinessRequest,
  name: string,
): Promise<DisplayName> {
  const at = await reachNumber(parts, request);
  const before = requireAnswer(await parts.network.readDisplayName(at));
  requireAnswer(await parts.network.requestDisplayName(at, name));
  await auditNumber(parts, request, 'number.name_requested', { name });
  return { ...before, requestedName: name, requestedStatus: JUST_REQUESTED };
}

/** What the network calls a request that it has not decided about. */
const JUST_REQUESTED = 'pending_review';

/** The username of a number. @throws ApiProblem as readDisplayName */
export async function readUsername(parts: BusinessDeps, of: OfNumber): Promise<Username> {
  return requireAnswer(await parts.network.readUsername(await reachNumber(parts, of)));
}

/** Takes a username for a number, in place of the one that it has. @throws ApiProblem as readDisplayName */
export async function setUsername(
  parts: BusinessDeps,
  request: BusinessRequest,
  wish: UsernameWish,
): Promise<Username> {
  const set = requireAnswer(await parts.network.setUsername(await reachNumber(parts, request), wish));
  await auditNumber(parts, request, 'number.username_set', { username: wish.username });
  return set;
}

/** Gives the username of a number up: another business can take it then. @throws ApiProblem as readDisplayName */
export async function deleteUsername(parts: BusinessDeps, request: BusinessRequest): Promise<void> {
  requireAnswer(await parts.network.deleteUsername(await reachNumber(parts, request)));
  await auditNumber(parts, request, 'number.username_deleted');
}

/**
 * Sets the two-step PIN that the network asks for when a number is registered again, also elsewhere. It is passed on and kept nowhere.
 * @throws ApiProblem as readDisplayName
 */
export async function setTwoStepPin(parts: BusinessDeps, request: BusinessRequest, pin: string): Promise<void> {
  requireAnswer(await parts.network.setPin(await reachNumber(parts, request), pin));
  await auditNumber(parts, request, 'number.pin_set');
}
