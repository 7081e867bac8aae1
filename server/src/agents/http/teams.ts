import { createTeam, removeTeam, type TeamFields, updateTeam } from '#agents/actions/manage-teams';
import type { Team } from '#agents/domain/agent';
import { describeTeam } from '#agents/domain/agent-events';
import { findTeam, listTeamsPage } from '#agents/store/teams';
import type { AgentId, HoursId, TeamId } from '#core/ids';
import { givenOnly } from '#http/lists/filters';
import type { Operation } from '#http/operation';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import { ChangeTeam, type ChangeTeamBody, CreateTeam, TeamIdParams, TeamView, teamExample } from './schemas/team.ts';

const team: Resource<Team> = {
  path: '/v1/teams',
  name: 'Team',
  noun: 'team',
  tag: 'Agents',
  scopes: { read: 'agents:read', write: 'agents:write' },
  params: TeamIdParams,
  view: TeamView,
  example: teamExample,
  stale: staleExample('team'),
  present: describeTeam,
};

const listTeamsRoute = listOperation(team, {
  description: "Returns the tenant's teams, newest first, with their members and policies.",
  read: ({ db }, { tenantId, window }) => listTeamsPage(db, tenantId, window),
  idOf: ({ teamId }) => teamId,
});

const createTeamRoute = createOperation(team, {
  description:
    'Creates a group of agents who share a queue, and defines how conversations are assigned to them. Without a policy, people assign conversations. With one, waiting conversations are assigned immediately to an agent who is online, has capacity and has the skills.',
  body: CreateTeam,
  bodyExamples: {
    byHand: { summary: 'Manual assignment', value: { name: 'Sales' } },
    balanced: {
      summary: 'Least-loaded assignment, as the default team',
      value: { name: 'Support', policy: 'least_loaded', is_default: true },
    },
  },
  create: ({ rt, db }, asked, { body }) => {
    const fields = { ...newTeam, name: body.name, ...readTeamInput(body) };
    return createTeam(rt, db, { ...asked, fields });
  },
});

const getTeamRoute = getOperation(team, {
  description: 'Returns the members of a team, and how conversations are assigned to them.',
  find: ({ db }, tenantId, id) => findTeam(db, tenantId, id),
});

const updateTeamRoute = updateOperation(team, {
  description:
    'Updates the team. Omitted fields stay unchanged; members replaces all members. Conversations that are already waiting follow the new settings.',
  body: ChangeTeam,
  bodyExamples: {
    turns: { summary: 'Round robin', value: { policy: 'round_robin', sticky: false } },
    empty: { summary: 'Remove all members', value: { members: [] } },
  },
  update: ({ rt, db }, asked, { body }) => updateTeam(rt, db, { ...asked, teamId: asked.id }, readTeamInput(body)),
});

const deleteTeamRoute = deleteOperation(team, {
  description:
    'Deletes the team; its members stay. Returns 409 while the team has conversations that are not resolved, or while another team overflows into it.',
  failures: [conflictExample('overflows', 'The team Sales overflows into this one. Change that first.')],
  remove: ({ rt, db }, asked) => removeTeam(rt, db, { ...asked, teamId: asked.id }),
});

/** In the order of the documentation. */
export const teamOperations: readonly Operation[] = [
  listTeamsRoute,
  createTeamRoute,
  getTeamRoute,
  updateTeamRoute,
  deleteTeamRoute,
];

/** What a new team is where its body says nothing. */
const newTeam: Omit<TeamFields, 'name'> = {
  policy: 'manual',
  sticky: true,
  reassignOnReopen: 'offline',
  hoursId: null,
  overflowTeamId: null,
  requiredSkills: [],
  isDefault: false,
  memberIds: [],
};

/** What a body says of a team; what it leaves out is absent. */
function readTeamInput(body: ChangeTeamBody): Partial<TeamFields> {
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
