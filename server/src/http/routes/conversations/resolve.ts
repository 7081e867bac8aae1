import { changeOperation } from './change-operation.ts';

export const resolveConversation = changeOperation<unknown>({
  verb: 'resolve',
  operationId: 'resolveConversation',
  summary: 'Resolve a conversation',
  description:
    'Nobody waits for anything any more. What happens when the customer writes again says the reopen_policy of the number.',
  read: () => ({ status: 'resolved' }),
});
