import { findAgent } from '#agents/store/agents';
import { findTeam } from '#agents/store/teams';
import type { ConversationChange } from '#conversations/domain/conversation';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';

/**
 * Requires that a conversation is assigned to an agent or team of the tenant: otherwise it would wait in no queue.
 * @param place where the change is in the request: `body` or `body.change`
 * @throws ApiProblem validation_failed, in the same words whether nobody has the agent or team or another tenant does
 */
export async function requireKnownAssignment(
  db: SqlRunner,
  {
    tenantId,
    change,
    place,
  }: { readonly tenantId: TenantId; readonly change: ConversationChange; readonly place: string },
): Promise<void> {
  const { assigneeId = null, teamId = null } = change;
  const details: FaultDetail[] = [];
  if (assigneeId !== null && (await findAgent(db, tenantId, assigneeId)) === null) {
    details.push({ path: `${place}.assignee_id`, message: 'assignee_id does not name an agent of this tenant.' });
  }
  if (teamId !== null && (await findTeam(db, tenantId, teamId)) === null) {
    details.push({ path: `${place}.team_id`, message: 'team_id does not name a team of this tenant.' });
  }
  const [first] = details;
  if (first) throw new ApiProblem('validation_failed', { sentence: first.message, details });
}
