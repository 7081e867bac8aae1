import Type from 'typebox';
import { agentExampleId } from '#agents/http/schemas/agent';
import { teamExampleId } from '#agents/http/schemas/team';
import { explainAssignment } from '#conversations/actions/explain-assignment';
import { type Skipped, skipReasons } from '#conversations/domain/assignment';
import type { AssignmentEntry } from '#conversations/store/assignment';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { choiceOf, named, nullableText, nullableUuid, time, uuid } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { ConversationParams } from './schemas/conversation.ts';

const skipped = Type.Array(
  Type.Object(
    {
      agent_id: uuid('The agent.'),
      name: Type.String({ description: 'Name of the agent at that time.' }),
      reason: choiceOf(skipReasons, 'Why the agent was passed over. not_next: another agent came first.'),
      detail: nullableText('Workload, such as 5/5, or the missing skill.'),
    },
    { description: 'An agent who was passed over.' },
  ),
  named('SkippedAgents', 'Agents who were passed over, at most 50.'),
);

const Entry = Type.Object(
  {
    id: uuid('ID of the decision.'),
    at: time(named('CreatedAt', 'When it was created.')),
    outcome: choiceOf(
      ['assigned', 'unassigned', 'kept'],
      'Outcome. unassigned and kept apply to reopened conversations.',
    ),
    because: Type.String({
      description:
        'sticky, round_robin or least_loaded; for reopened conversations: policy, agent_offline, agent_full or agent_able.',
    }),
    agent_id: nullableUuid('ID of the agent.'),
    team_id: nullableUuid('Team of the agent.'),
    skipped,
  },
  named('AssignmentEntry', 'An assignment decision.'),
);

const Waiting = Type.Unsafe<JsonObject | null>({
  ...Type.Object({
    because: Type.String({
      description:
        'nobody_has_room, outside_hours, by_hand, no_team, with_bot; or a policy if it is about to be assigned.',
    }),
    skipped,
  }),
  type: ['object', 'null'],
  description: 'Why it is waiting. Null if it is not waiting for an agent.',
});

const AssignmentLog = Type.Object(
  { data: Type.Array(Entry, { description: 'The latest decisions, at most 100.' }), waiting: Waiting },
  { description: 'Assignment decisions, newest first, and why the conversation is waiting.' },
);

const assignmentLogExample: JsonObject = {
  data: [
    {
      id: '0190a6f9-1111-7222-8333-444455556666',
      at: '2030-01-01T09:00:00.000Z',
      outcome: 'assigned',
      because: 'least_loaded',
      agent_id: agentExampleId,
      team_id: teamExampleId,
      skipped: [
        { agent_id: '0190a6f8-4444-7222-8333-444455556666', name: 'Bo Chen', reason: 'at_capacity', detail: '5/5' },
      ],
    },
  ],
  waiting: null,
};

export const getAssignmentLogRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations/:id/assignment-log',
  operationId: 'getAssignmentLog',
  summary: 'Get the assignment log of a conversation',
  description:
    'Returns who was assigned the conversation by which policy, and who was passed over for which reason. While the conversation is waiting, also returns what currently prevents its assignment.',
  tag: 'Agents',
  scope: 'agents:read',
  params: ConversationParams,
  answer: { status: 200, description: 'The decisions.', schema: AssignmentLog, example: assignmentLogExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { entries, waiting } = await explainAssignment(rt, db, tenantId, request.params.id);
      return {
        data: entries.map(presentAssignment),
        waiting: waiting && { because: waiting.because, skipped: waiting.skipped.map(presentSkipped) },
      };
    };
  },
});

function presentAssignment(entry: AssignmentEntry): JsonObject {
  return {
    id: entry.entryId,
    at: formatRfc3339(entry.atMs),
    outcome: entry.outcome,
    because: entry.because,
    agent_id: entry.agentId,
    team_id: entry.teamId,
    skipped: entry.skipped.map(presentSkipped),
  };
}

function presentSkipped({ agentId, name, reason, detail }: Skipped): JsonObject {
  return { agent_id: agentId, name, reason, detail };
}
