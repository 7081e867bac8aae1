import { Readable } from 'node:stream';
import { exportAnswers } from '#flows/actions/export-answers';
import { readFlow } from '#flows/actions/manage-flows';
import { flowAnswerJson } from '#flows/domain/flow-answer';
import { listFlowAnswers } from '#flows/store/flow-answers';
import { wantsCsv } from '#http/csv';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { queryOf } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { atFlow, flowFailures, ofFlow } from './flow-operation.ts';
import { FlowAnswerView, flowAnswerExample } from './schemas/flow-answer.ts';

const listFlowAnswersRoute = defineOperation({
  method: 'GET',
  ...atFlow('read', '/answers'),
  // What customers have written, not what the flow is.
  scope: 'messages:read',
  operationId: 'listFlowAnswers',
  summary: 'List the answers of a flow',
  description:
    'Returns what customers have entered into the flow, newest first: the inbound messages that answer messages of this service with it, also those with a template. With `Accept: text/csv`, returns all of them as a table with a column for each field (at most 500), regardless of the page requested.',
  query: queryOf(pageQuery),
  answer: {
    ...pageAnswer('answers', FlowAnswerView, flowAnswerExample),
    csvExample:
      'received_at,message_id,sent_message_id,phone_number_id,from,from_user_id,profile_name,contact_id,conversation_id,flow_token,data.day\r\n',
  },
  errorExamples: flowFailures(),
  handle:
    ({ db, flows, cursorKey }) =>
    async (request, reply) => {
      reply.header('vary', 'accept');
      const flow = await readFlow(flows, ofFlow(request));
      if (wantsCsv(request.headers.accept)) {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(exportAnswers(db, ofFlow(request).tenantId, flow)));
      }
      return answerList(request, reply, {
        cursorKey,
        name: `flows/${flow.flowId}/answers`,
        read: (tenantId, window) => listFlowAnswers(db, tenantId, flow, window),
        idOf: ({ messageId }) => messageId,
        present: flowAnswerJson,
      });
    },
});

/** In the order of the documentation. */
export const flowAnswerOperations: readonly Operation[] = [listFlowAnswersRoute];
