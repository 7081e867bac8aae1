import { rolePermissions } from '#core/caller/permissions';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';
import { type Agent, availabilityAt, type Team } from './agent.ts';

/** An agent as the API and its events show it. @param nowMs the moment for which its availability is shown */
export function describeAgent(agent: Agent, nowMs: number): JsonObject {
  return {
    id: agent.agentId,
    name: agent.name,
    email: agent.email,
    role: agent.role,
    permissions: [...rolePermissions[agent.role]],
    availability: availabilityAt(agent, nowMs),
    presence_expires_at: availabilityAt(agent, nowMs) === 'offline' ? null : isoTimeOrNull(agent.presenceUntilMs),
    capacity: { max_open: agent.maxOpen, open: agent.openCount },
    skills: [...agent.skills],
    teams: [...agent.teamIds],
    external_id: agent.externalId,
    version: agent.version,
    created_at: isoTime(agent.createdMs),
    updated_at: isoTime(agent.updatedMs),
  };
}

/** A team as the API and its events show it. */
export function describeTeam(team: Team): JsonObject {
  return {
    id: team.teamId,
    name: team.name,
    members: [...team.memberIds],
    policy: team.policy,
    sticky: team.sticky,
    reassign_on_reopen: team.reassignOnReopen,
    business_hours_id: team.hoursId,
    overflow_team_id: team.overflowTeamId,
    required_skills: [...team.requiredSkills],
    is_default: team.isDefault,
    version: team.version,
    created_at: isoTime(team.createdMs),
    updated_at: isoTime(team.updatedMs),
  };
}

/** Fields that grow with every change, or that a change alone says nothing of. */
const SILENT: ReadonlySet<string> = new Set(['version', 'updated_at', 'presence_expires_at']);

/** What differs between two descriptions of one thing: `{field: [old, new]}`. */
export function changesBetween(before: JsonObject, after: JsonObject): JsonObject {
  const differing = Object.keys(after).filter(
    (field) => !SILENT.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(differing.map((field) => [field, [before[field] ?? null, after[field] ?? null]]));
}
