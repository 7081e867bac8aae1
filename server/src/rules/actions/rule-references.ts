import { findAgent } from '#agents/store/agents';
import { findTeam } from '#agents/store/teams';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { PLAIN_SEND } from '#messages/actions/accept-message';
import { type CheckDeps, referenceProblems } from '#messages/actions/send-checks';
import { replyContent } from '#rules/domain/reply-content';
import type { RuleAction } from '#rules/domain/rule';
import { findEndpoint } from '#webhooks/store/webhook-endpoints';

/**
 * Checks that agents, teams, webhook endpoints and media that actions name are the tenant's.
 * @throws ApiProblem as sending the reply would be refused, or validation_failed naming what is not there
 */
export async function requireKnown(
  { db, checks }: { readonly db: Database; readonly checks: CheckDeps },
  tenantId: TenantId,
  actions: readonly RuleAction[],
): Promise<void> {
  const faults: FaultDetail[] = [];
  for (const [index, action] of actions.entries()) {
    if (action.action === 'assign') faults.push(...(await unknownAssignees(db, { tenantId, action, index })));
    if (action.action === 'webhook') faults.push(...(await unknownEndpoint(db, { tenantId, action, index })));
    if (action.action !== 'reply') continue;
    const send = { ...PLAIN_SEND, to: '', phoneNumberId: null, content: replyContent(action), author: null };
    const [problem] = await referenceProblems(checks, tenantId, send);
    if (problem !== undefined) throw insideAction(problem, index);
  }
  if (faults.length === 0) return;
  const sentence = faults.map(({ message }) => message).join(' ');
  throw new ApiProblem('validation_failed', { sentence, details: faults });
}

/** An action of a rule that names something of the tenant. */
interface Named<Name extends RuleAction['action']> {
  readonly tenantId: TenantId;
  readonly action: Extract<RuleAction, { readonly action: Name }>;
  readonly index: number;
}

async function unknownAssignees(
  db: Database,
  { tenantId, action, index }: Named<'assign'>,
): Promise<readonly FaultDetail[]> {
  const faults: FaultDetail[] = [];
  const { agent_id: agentId, team_id: teamId } = action;
  if (typeof agentId === 'string' && (await findAgent(db, tenantId, agentId.toLowerCase())) === null) {
    faults.push({ path: `body.then[${index}].agent_id`, message: 'agent_id does not name an agent of this tenant.' });
  }
  if (typeof teamId === 'string' && (await findTeam(db, tenantId, teamId.toLowerCase())) === null) {
    faults.push({ path: `body.then[${index}].team_id`, message: 'team_id does not name a team of this tenant.' });
  }
  return faults;
}

async function unknownEndpoint(
  db: Database,
  { tenantId, action, index }: Named<'webhook'>,
): Promise<readonly FaultDetail[]> {
  const endpoint = await findEndpoint(db, tenantId, action.endpoint_id.toLowerCase());
  if (endpoint?.format === 'postrider') return [];
  const message =
    endpoint === null
      ? 'endpoint_id does not name a webhook endpoint of this tenant.'
      : 'endpoint_id names an endpoint of the format network, which receives no events.';
  return [{ path: `body.then[${index}].endpoint_id`, message }];
}

/** The same refusal, with its places in the rule. */
function insideAction({ code, message, details = [] }: ApiProblem, index: number): ApiProblem {
  const inside = details.map((detail) => ({ ...detail, path: detail.path.replace(/^body/, `body.then[${index}]`) }));
  return new ApiProblem(code, { sentence: message, details: inside });
}
