import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import { type EventDescription, fieldChanges } from '#http/schemas/events/description';
import { named } from '#http/schemas/fields';
import { AgentView, agentExample } from './agent.ts';
import { TeamView, teamExample } from './team.ts';

const ChangedAgent = Type.Intersect(
  [AgentView, Type.Object({ changes: fieldChanges })],
  named('ChangedAgent', 'The updated agent, and what changed.'),
);
const ChangedTeam = Type.Intersect(
  [TeamView, Type.Object({ changes: fieldChanges })],
  named('ChangedTeam', 'The updated team, and what changed.'),
);

/** What events of agents and teams carry. */
export const agentEvents: Partial<Record<EventType, EventDescription>> = {
  'agent.created': { data: AgentView, example: agentExample },
  'agent.updated': { data: ChangedAgent, example: { ...agentExample, changes: { name: ['Ana', 'Ana Lima'] } } },
  'agent.deleted': { data: AgentView, example: agentExample },
  'agent.availability_changed': {
    data: ChangedAgent,
    example: { ...agentExample, changes: { availability: ['offline', 'online'] } },
  },
  'team.created': { data: TeamView, example: teamExample },
  'team.updated': { data: ChangedTeam, example: { ...teamExample, changes: { policy: ['manual', 'least_loaded'] } } },
  'team.deleted': { data: TeamView, example: teamExample },
};
