import Type from 'typebox';
import { numberedId } from '#core/network/numbered-list';
import {
  changeFlow,
  createFlow,
  deleteFlow,
  deprecateFlow,
  listTenantFlows,
  publishFlow,
  readFlow,
  setFlowJson,
  UNKNOWN_SOURCE,
} from '#flows/actions/manage-flows';
import { MAX_FLOW_JSON_BYTES } from '#flows/domain/flow';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { faultExample } from '#http/schemas/errors';
import { choiceOf, viewOf } from '#http/schemas/fields';
import { NoBody } from '#http/schemas/parameters';
import { unknownAccountExample } from '#templates/http/schemas/template';
import {
  atFlow,
  flowAnswer,
  flowFailures,
  flowRequest,
  ofFlow,
  ofFlows,
  presentFlow,
  presentProblems,
} from './flow-operation.ts';
import {
  ChangeFlow,
  CreateFlow,
  FlowJson,
  FlowJsonView,
  FlowListQuery,
  FlowView,
  flowExample,
  flowJsonExample,
  flowJsonViewExample,
  listedFlowExample,
} from './schemas/flow.ts';

/** Besides its JSON, a body that creates a flow has a few names. */
const MAX_BODY_BYTES = MAX_FLOW_JSON_BYTES + 64 * 1024;

const listFlowsRoute = defineOperation({
  method: 'GET',
  path: '/v1/flows',
  ...ofFlows('read'),
  operationId: 'listFlows',
  summary: 'List flows',
  description:
    "Returns the flows of all the tenant's accounts in the order of their IDs, the highest first. They are read from the network with each request, since people change them there too.",
  query: FlowListQuery,
  answer: pageAnswer('flows', FlowView, listedFlowExample),
  errorExamples: flowFailures(),
  handle:
    ({ flows, cursorKey }) =>
    (request, reply) => {
      const { network_account_id: networkAccountId } = request.query;
      return answerList(request, reply, {
        cursorKey,
        name: 'flows',
        filter: givenOnly({ networkAccountId }),
        read: (tenantId, window) =>
          listTenantFlows(flows, { tenantId, networkAccountId: networkAccountId ?? null }, window),
        idOf: ({ flowId }) => numberedId(flowId),
        present: presentFlow,
      });
    },
});

const createFlowRoute = defineOperation({
  method: 'POST',
  path: '/v1/flows',
  ...ofFlows('write'),
  operationId: 'createFlow',
  summary: 'Create a flow',
  description:
    'Creates a draft at the network, empty, with `flow_json`, or as a copy. If the network does not respond, list the flows before you repeat the request: it may have created one.',
  body: CreateFlow,
  bodyLimit: MAX_BODY_BYTES,
  bodyExamples: {
    empty: { summary: 'Without JSON', value: { name: 'appointment', categories: ['appointment_booking'] } },
    whole: {
      summary: 'With JSON',
      value: { name: 'booking', categories: ['appointment_booking'], flow_json: flowJsonExample },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    ...flowAnswer('The draft.', { ...listedFlowExample, json_version: null }),
    status: 201,
  },
  errorExamples: [
    unknownAccountExample,
    faultExample('unknownSource', 'validation_failed', { path: 'body.clone_flow_id', message: UNKNOWN_SOURCE }),
    ...flowFailures(),
  ],
  handle:
    ({ flows }) =>
    async (request) => {
      const { name, categories, network_account_id: account, flow_json: json, clone_flow_id: clone } = request.body;
      const wish = { name, categories, json: json ?? null, cloneFlowId: clone ?? null };
      return presentFlow(await createFlow(flows, { ...requesterOf(request), networkAccountId: account ?? null }, wish));
    },
});

const getFlowRoute = defineOperation({
  method: 'GET',
  ...atFlow('read'),
  operationId: 'getFlow',
  summary: 'Get a flow',
  description:
    'Returns the flow with its validation errors, a page that shows it, and whether it can be sent, as the network has it now.',
  answer: flowAnswer('The flow.'),
  errorExamples: flowFailures(),
  handle:
    ({ flows }) =>
    async (request) =>
      presentFlow(await readFlow(flows, ofFlow(request))),
});

const updateFlowRoute = defineOperation({
  method: 'PATCH',
  ...atFlow('write'),
  operationId: 'updateFlow',
  summary: 'Update a flow',
  description: 'Changes the name or the categories of a flow at the network.',
  body: ChangeFlow,
  bodyExamples: { name: { summary: 'Another name', value: { name: 'appointment_2' } } },
  answer: flowAnswer('The flow with the change in it.', { ...flowExample, name: 'appointment_2' }),
  errorExamples: flowFailures(
    'The network changes only drafts. Create another flow with clone_flow_id, and change that one. (Code 139001 of the network: The flow cannot be changed.)',
  ),
  handle:
    ({ flows }) =>
    async (request) =>
      presentFlow(await changeFlow(flows, flowRequest(request), givenOnly(request.body))),
});

const setFlowJsonRoute = defineOperation({
  method: 'PUT',
  ...atFlow('write', '/json'),
  operationId: 'setFlowJson',
  summary: 'Upload the JSON of a flow',
  description:
    'Replaces the screens of a draft. The body is the JSON itself, at most 10 MB, so a file can be sent as it is. JSON with validation errors is stored too, and can be corrected later.',
  body: FlowJson,
  bodyLimit: MAX_FLOW_JSON_BYTES,
  bodyExamples: { form: { summary: 'One screen', value: flowJsonExample } },
  answer: {
    status: 200,
    description: 'Whether the JSON was stored, and what has to be corrected.',
    schema: FlowJsonView,
    example: flowJsonViewExample,
  },
  errorExamples: flowFailures(
    'The network changes only drafts. Create another flow with clone_flow_id, and change that one. (Code 139001 of the network: The flow cannot be changed.)',
  ),
  handle:
    ({ flows }) =>
    async (request) => {
      const stored = await setFlowJson(flows, flowRequest(request), request.body);
      return { id: request.params.id, saved: stored.saved, validation_errors: presentProblems(stored) };
    },
});

const publishFlowRoute = defineOperation({
  method: 'POST',
  ...atFlow('write', '/publish'),
  operationId: 'publishFlow',
  summary: 'Publish a flow',
  description:
    'Makes a draft without validation errors one that can be sent to customers. It cannot be changed or deleted then.',
  body: NoBody,
  sends: true,
  takesIdempotencyKey: true,
  answer: flowAnswer('The published flow.', { ...flowExample, status: 'published' }),
  errorExamples: flowFailures(
    'The network does not publish this flow. Correct its validation errors first; only a draft can be published. (Code 139002 of the network: The flow cannot be published.)',
  ),
  handle:
    ({ flows }) =>
    async (request) =>
      presentFlow(await publishFlow(flows, flowRequest(request))),
});

const deprecateFlowRoute = defineOperation({
  method: 'POST',
  ...atFlow('write', '/deprecate'),
  operationId: 'deprecateFlow',
  summary: 'Deprecate a flow',
  description: 'Ends the use of a published flow for good: it can be neither sent nor opened then.',
  body: NoBody,
  sends: true,
  takesIdempotencyKey: true,
  answer: flowAnswer('The deprecated flow.', { ...flowExample, status: 'deprecated' }),
  errorExamples: flowFailures(
    'The network deprecates only published flows. Delete a draft instead. (Code 139003 of the network: The flow cannot be deprecated.)',
  ),
  handle:
    ({ flows }) =>
    async (request) =>
      presentFlow(await deprecateFlow(flows, flowRequest(request))),
});

const deleteFlowRoute = defineOperation({
  method: 'DELETE',
  ...atFlow('write'),
  operationId: 'deleteFlow',
  summary: 'Delete a flow',
  description: 'Deletes a draft at the network. A published flow can only be deprecated.',
  answer: {
    status: 200,
    description: 'The flow was deleted.',
    schema: viewOf('The flow was deleted.', {
      id: Type.String({ description: "The network's ID of the flow." }),
      status: choiceOf(['deleted'], 'It was deleted.'),
    }),
    example: { id: flowExample.id ?? '', status: 'deleted' },
  },
  errorExamples: flowFailures(
    'The network deletes only drafts. Deprecate a published flow instead. (Code 139004 of the network: The flow cannot be deleted.)',
  ),
  handle:
    ({ flows }) =>
    async (request) => {
      await deleteFlow(flows, flowRequest(request));
      return { id: request.params.id, status: 'deleted' };
    },
});

/** In the order of the documentation. */
export const flowOperations: readonly Operation[] = [
  listFlowsRoute,
  createFlowRoute,
  getFlowRoute,
  updateFlowRoute,
  setFlowJsonRoute,
  publishFlowRoute,
  deprecateFlowRoute,
  deleteFlowRoute,
];
