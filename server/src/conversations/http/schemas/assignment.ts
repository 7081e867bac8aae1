import Type from 'typebox';
import { agentExampleId } from '#agents/http/schemas/agent';
import { teamExampleId } from '#agents/http/schemas/team';
import { skipReasons } from '#conversations/domain/assignment';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableUuid, time, uuid, withExample } from '#http/schemas/fields';

const conversationId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';

const skipped = Type.Array(
  Type.Object(
    {
      agent_id: uuid('The agent.'),
      name: Type.String({ description: 'What the agent was called then.' }),
      reason: choiceOf(skipReasons, 'Why it was not this one; not_next: another one came first.'),
      detail: nullableText('The load, as 5/5, or the skill that is missing.'),
    },
    { description: 'An agent who was passed over.' },
  ),
  { description: 'Who was passed over, at most 50.' },
);

const Entry = Type.Object(
  {
    id: uuid('Identifier of the decision.'),
    at: time('When it was made.'),
    outcome: choiceOf(
      ['assigned', 'unassigned', 'kept'],
      'What became of it. The last two are of conversations that opened again.',
    ),
    because: Type.String({
      description:
        'sticky, round_robin, least_loaded; of conversations that opened again policy, agent_offline, agent_full, agent_able.',
    }),
    agent_id: nullableUuid('The agent that it is about.'),
    team_id: nullableUuid('The team whose member it is.'),
    skipped,
  },
  named('AssignmentEntry', 'A decision of the assignment.'),
);

const Waiting = Type.Unsafe<JsonObject | null>({
  ...Type.Object({
    because: Type.String({
      description: 'nobody_has_room, outside_hours, by_hand, no_team, with_bot; a policy: it is given within a moment.',
    }),
    skipped,
  }),
  type: ['object', 'null'],
  description: 'Why it waits at this moment; null: it does not wait for an agent.',
});

export const AssignmentLog = Type.Object(
  { data: Type.Array(Entry, { description: 'The latest decisions, at most 100.' }), waiting: Waiting },
  { description: 'What assignment decided, newest first, and why the conversation waits.' },
);

export const ConversationIdParams = Type.Object({
  id: withExample(uuid('Identifier of the conversation.'), conversationId),
});

export const assignmentLogExample: JsonObject = {
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
