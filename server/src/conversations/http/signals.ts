import Type from 'typebox';
import { findConversation } from '#conversations/store/conversations';
import { ApiProblem, requireFound } from '#core/errors';
import type { ConversationId } from '#core/ids';
import { defineOperation, type Operation } from '#http/operation';
import { assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { strictObject } from '#http/schemas/fields';
import { conversationResource } from './conversations.ts';

const SetSignal = strictObject('What the agent does now. It replaces what the agent did before.', {
  viewing: Type.Boolean({ description: 'Whether the agent is looking at the conversation.' }),
  writing: Type.Boolean({ description: 'Whether the agent is writing in it.' }),
});

const TOO_MANY = 'Too many signals of conversations are waiting to be passed on. Try again shortly.';

const setConversationSignalRoute = defineOperation({
  method: 'PUT',
  ...belowItem(conversationResource, 'signal', 'write'),
  operationId: 'setConversationSignal',
  summary: 'Signal that an agent is looking or writing',
  description:
    'Shows colleagues that the acting agent is looking at the conversation or writing in it, on streams of events with signals, within 2 seconds. It ends 15 seconds after the last request, or with false for both. Nothing is stored, and it is no event. It holds nobody back; use the lease for that.',
  requestHeaders: [requiredAgentHeader],
  body: SetSignal,
  bodyExamples: {
    writing: { summary: 'Looking and writing', value: { viewing: true, writing: true } },
    gone: { summary: 'Not looking any more', value: { viewing: false, writing: false } },
  },
  answer: {
    status: 204,
    description: 'Colleagues will see it.',
    schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
    contentType: 'text/plain',
    example: '',
  },
  errors: ['not_found'],
  handle: ({ db, signals }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const conversationId = request.params.id.toLowerCase() as ConversationId;
      const signal = { conversationId, agentId: assertAgent(request), ...request.body };
      // It is renewed every few seconds: only the first one asks the database.
      if (!signals.holds(tenantId, signal)) requireFound(await findConversation(db, tenantId, conversationId));
      if (!signals.set(tenantId, signal)) {
        throw new ApiProblem('rate_limited', { sentence: TOO_MANY, headers: { 'retry-after': '5' } });
      }
      return reply.code(204).send();
    };
  },
});

/** In the order of the documentation. */
export const signalOperations: readonly Operation[] = [setConversationSignalRoute];
