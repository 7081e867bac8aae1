import type { TeamFields } from '#agents/actions/manage-teams';
import type { ChangeTeamBody } from '#agents/http/schemas/team';
import type { AgentId, HoursId, TeamId } from '#core/ids';
import { givenOnly } from '#http/lists/filters';

/** What a body says of a team; what it leaves out is absent. */
export function readTeamInput(body: ChangeTeamBody): Partial<TeamFields> {
  return givenOnly({
    name: body.name,
    policy: body.policy,
    sticky: body.sticky,
    reassignOnReopen: body.reassign_on_reopen,
    hoursId: lower<HoursId>(body.business_hours_id),
    overflowTeamId: lower<TeamId>(body.overflow_team_id),
    requiredSkills: body.required_skills,
    isDefault: body.is_default,
    memberIds: body.members?.map((id) => id.toLowerCase() as AgentId).toSorted(),
  });
}

/** As ids are stored. */
function lower<Id extends string>(id: string | null | undefined): Id | null | undefined {
  return typeof id === 'string' ? (id.toLowerCase() as Id) : id;
}
