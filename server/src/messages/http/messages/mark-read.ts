import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { markReadErrorExamples } from '#http/schemas/examples';
import { uuid } from '#http/schemas/fields';
import { MessageIdParams } from '#http/schemas/parameters';
import { type MarkReadOutcome, markRead } from '#messages/actions/mark-read';

const Body = Type.Unsafe<null | { readonly typing?: boolean }>({
  type: ['object', 'null'],
  properties: {
    typing: { type: 'boolean', description: 'Also shows that a reply is being written, until it arrives or for 25 s.' },
  },
  additionalProperties: false,
  description: 'Empty, or what else to show.',
});
const Answer = Type.Object(
  {
    id: uuid('Identifier of the message.'),
    read: Type.Boolean({ description: 'Always true.' }),
    typing: Type.Boolean({ description: 'Whether the customer sees that a reply is being written.' }),
  },
  { description: 'The network has marked the message as read.' },
);

export const markMessageReadRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/:id/read',
  operationId: 'markMessageRead',
  summary: 'Mark an inbound message as read',
  description:
    'Marks an inbound message as read at the network. The customer sees this, for all earlier messages too. The network accepts it for 30 days.',
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  params: MessageIdParams,
  body: Body,
  bodyIsOptional: true,
  bodyExamples: { typing: { summary: 'With the typing indicator', value: { typing: true } } },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The network has marked the message as read.',
    schema: Answer,
    example: { id: '0190a6f3-1111-7222-8333-444455556666', read: true, typing: false },
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict', 'refused_by_network', 'network_unreachable'],
  errorExamples: markReadErrorExamples,
  handle: (context) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const wish = { tenantId, messageId: request.params.id.toLowerCase(), typing: request.body?.typing === true };
      const outcome = await markRead(context, wish);
      if (outcome.kind !== 'done') throw refusal(outcome);
      return { id: wish.messageId, read: true, typing: wish.typing };
    };
  },
});

function refusal(outcome: Exclude<MarkReadOutcome, { kind: 'done' }>): ApiProblem {
  switch (outcome.kind) {
    case 'not_found':
      return new ApiProblem('not_found');
    case 'outbound':
      return new ApiProblem('conflict', { sentence: 'Only a message of a customer can be marked as read.' });
    case 'refused':
      return new ApiProblem('refused_by_network', { sentence: `The network refused this: ${outcome.sentence}` });
    case 'unreachable':
      return new ApiProblem('network_unreachable');
  }
}
