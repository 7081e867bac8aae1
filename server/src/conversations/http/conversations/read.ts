import { changeOperation } from './change-operation.ts';

export const readConversationRoute = changeOperation<unknown>({
  verb: 'read',
  operationId: 'readConversation',
  summary: 'Mark a conversation as read',
  description: 'Sets unread_count to 0. The customer is not notified; use POST /v1/messages/{id}/read for that.',
  read: () => ({ read: true }),
});
