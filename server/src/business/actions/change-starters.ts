import { type ConversationStarters, emojiFaults } from '#business/domain/conversation-starters';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { auditNumber, type BusinessDeps, type BusinessRequest, reachNumber, requireAnswer } from './reach-number.ts';

/**
 * What customers of a number can tap or type before anybody answers, as the network has it at this moment.
 * @throws ApiProblem not_found, conflict, refused_by_network, network_unreachable
 */
export async function readConversationStarters(
  parts: BusinessDeps,
  of: { readonly tenantId: TenantId; readonly phoneNumberId: string },
): Promise<ConversationStarters> {
  return requireAnswer(await parts.network.readStarters(await reachNumber(parts, of)));
}

/**
 * Changes it at the network; a list replaces the list that is there. It is read first, so that nothing which can fail comes after the
 * change.
 * @throws ApiProblem validation_failed for emoji, and as readConversationStarters
 */
export async function changeConversationStarters(
  parts: BusinessDeps,
  request: BusinessRequest,
  change: Partial<ConversationStarters>,
): Promise<ConversationStarters> {
  const details = emojiFaults(change);
  if (details.length > 0)
    throw new ApiProblem('validation_failed', { sentence: details.map(({ message }) => message).join(' '), details });
  const at = await reachNumber(parts, request);
  const before = requireAnswer(await parts.network.readStarters(at));
  requireAnswer(await parts.network.changeStarters(at, change));
  await auditNumber(parts, request, 'number.commands_changed');
  return { ...before, ...change };
}
