import Type from 'typebox';
import { conversationConflictExample, snoozedUntil } from '#conversations/http/schemas/conversation';
import { changeOperation } from './change-operation.ts';
import { readChange } from './read-change.ts';

const Body = Type.Unsafe<null | { readonly until?: string | null }>({
  type: ['object', 'null'],
  properties: { until: snoozedUntil },
  additionalProperties: false,
  description: 'Empty, or the time at which the conversation wakes.',
});

export const snoozeConversationRoute = changeOperation<null | { readonly until?: string | null }>({
  verb: 'snooze',
  operationId: 'snoozeConversation',
  summary: 'Snooze a conversation',
  description:
    'Snoozes the conversation until the given time, or until the customer writes. With a time in the past, it wakes within a second or two.',
  body: Body,
  bodyIsOptional: true,
  bodyExamples: { until: { summary: 'Until Monday morning', value: { until: '2030-03-04T08:00:00Z' } } },
  conflict: conversationConflictExample('snoozeResolved', 'A conversation that is resolved cannot become snoozed.'),
  read: (body) => ({ status: 'snoozed', ...readChange({ snoozed_until: body?.until ?? null }) }),
});
