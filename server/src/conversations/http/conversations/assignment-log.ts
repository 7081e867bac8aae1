import { explainAssignment } from '#conversations/actions/explain-assignment';
import { presentAssignment, presentWaiting } from '#conversations/http/present/assignment';
import { AssignmentLog, assignmentLogExample, ConversationIdParams } from '#conversations/http/schemas/assignment';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getAssignmentLogRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations/:id/assignment-log',
  operationId: 'getAssignmentLog',
  summary: 'Get the assignment log of a conversation',
  description:
    'Returns who was assigned the conversation by which policy, and who was passed over for which reason. While the conversation is waiting, also returns what currently prevents its assignment.',
  tag: 'Agents',
  scope: 'agents:read',
  params: ConversationIdParams,
  answer: { status: 200, description: 'The decisions.', schema: AssignmentLog, example: assignmentLogExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { entries, waiting } = await explainAssignment(rt, db, tenantId, request.params.id);
      return { data: entries.map(presentAssignment), waiting: waiting === null ? null : presentWaiting(waiting) };
    };
  },
});
