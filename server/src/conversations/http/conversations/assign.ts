import Type, { type Static } from 'typebox';
import { assignment } from '#conversations/http/schemas/conversation';
import { changeOperation } from './change-operation.ts';
import { readChange } from './read-change.ts';

const Body = Type.Object(assignment, {
  additionalProperties: false,
  minProperties: 1,
  description: 'Omitted fields stay unchanged.',
});

export const assignConversationRoute = changeOperation<Static<typeof Body>>({
  verb: 'assign',
  operationId: 'assignConversation',
  summary: 'Assign a conversation to an agent or a team',
  description: 'Assigns the conversation, or unassigns it with null.',
  body: Body,
  bodyExamples: {
    agent: { summary: 'To an agent', value: { assignee_id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f' } },
    nobody: { summary: 'Back to all', value: { assignee_id: null, team_id: null } },
  },
  read: readChange,
});
