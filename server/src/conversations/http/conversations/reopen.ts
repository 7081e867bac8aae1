import { changeOperation } from './change-operation.ts';

export const reopenConversationRoute = changeOperation<unknown>({
  verb: 'reopen',
  operationId: 'reopenConversation',
  summary: 'Reopen a conversation',
  description:
    'Reopens a conversation that was resolved, snoozed or pending. A customer has at most one unresolved conversation with a number; while another one exists, the response is 409.',
  conflict: {
    name: 'anotherIsOpen',
    code: 'conversation_conflict',
    body: {
      error:
        'The customer has another conversation with this number that is not resolved: 0190a6f2-8c20-7a11-8f00-0a1b2c3d4e60.',
      code: 'conversation_conflict',
    },
  },
  read: () => ({ status: 'open' }),
});
