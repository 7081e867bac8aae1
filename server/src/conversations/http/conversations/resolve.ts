import { changeOperation } from './change-operation.ts';

export const resolveConversationRoute = changeOperation<unknown>({
  verb: 'resolve',
  operationId: 'resolveConversation',
  summary: 'Resolve a conversation',
  description:
    "Resolves the conversation: nobody is waiting for anything any more. The number's reopen_policy determines what happens when the customer writes again.",
  read: () => ({ status: 'resolved' }),
});
