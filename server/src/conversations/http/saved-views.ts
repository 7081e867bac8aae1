import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { countAllViews, createView, deleteView, updateView, type ViewCount } from '#conversations/actions/manage-views';
import { type SavedView, viewSorts } from '#conversations/domain/saved-view';
import { MAX_COUNTED } from '#conversations/store/conversation-search';
import { findView, listViews } from '#conversations/store/saved-views';
import { requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { requirePermission } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { createOperation, deleteOperation, itemAnswer, type Resource, updateOperation } from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import {
  changeOf,
  choiceOf,
  named,
  nullableInteger,
  optional,
  strictObject,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { NoQuery } from '#http/schemas/parameters';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { requireConditionScopes } from './condition-scopes.ts';
import { ConversationConditionBody } from './schemas/conversation-condition.ts';

const MAX_NAME = 100;
const MAX_POSITION = 1_000_000;
export const viewExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4ea0';

const sort = choiceOf(
  viewSorts,
  'last_activity: newest first. waiting_since: only those with a waiting customer, longest wait first.',
);
const shared = Type.Boolean({ description: 'true: all agents see it; false: only the agent it belongs to.' });
const position = Type.Integer({
  minimum: 0,
  maximum: MAX_POSITION,
  description: 'Place among the other views, lowest first. Default: behind them.',
});

const SavedViewSchema = Type.Object(
  {
    id: uuid('ID of the view.'),
    name: Type.String({ description: 'Name.' }),
    when: ConversationConditionBody,
    sort,
    shared,
    position: Type.Integer({ description: 'Place among the other views, lowest first.' }),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named('View', 'A named condition about conversations.'),
);

const required = {
  name: text(MAX_NAME, 'Name, unique among the views of its owner.'),
  when: ConversationConditionBody,
};
const further = { sort, shared, position };

const viewInput: JsonObject = {
  name: 'Very important, waiting',
  when: {
    all: [
      { field: 'conversation.status', value: 'open' },
      { field: 'contact.tags', match: 'has', value: 'VIP' },
    ],
  },
  sort: 'waiting_since',
  shared: true,
};
const viewExample: JsonObject = {
  id: viewExampleId,
  ...viewInput,
  position: 1,
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

const view: Resource<SavedView> = {
  path: '/v1/views',
  name: 'View',
  noun: 'view',
  tag: 'Conversations',
  scopes: { read: 'conversations:read', write: 'conversations:write' },
  params: Type.Object({ id: withExample(uuid('ID of the view.'), viewExampleId) }),
  view: SavedViewSchema,
  example: viewExample,
  stale: staleExample('view', 2),
  present: presentView,
};
const taken = conflictExample('viewNameTaken', 'Another view has the name Very important, waiting.');

/** Who asks, and what they may do to views that all share. */
function askedBy(request: Pick<FastifyRequest, 'agent'>) {
  const { agent } = request;
  return {
    agentId: agent?.agentId ?? null,
    requireSharing: () => requirePermission({ agent }, 'agents:manage'),
  };
}

const listViewsRoute = defineOperation({
  method: 'GET',
  path: view.path,
  operationId: 'listViews',
  summary: 'List views',
  description: 'Returns the views of the acting agent and the shared ones, in their order. There are at most 100.',
  tag: view.tag,
  scope: view.scopes.read,
  query: NoQuery,
  answer: {
    status: 200,
    description: 'The views.',
    schema: Type.Object({ data: Type.Array(SavedViewSchema) }, { description: 'The views, in their order.' }),
    example: { data: [viewExample] },
  },
  handle: ({ db }) => {
    return async (request) => {
      const views = await listViews(db, principalOf(request).tenantId, askedBy(request).agentId);
      return { data: views.map(presentView) };
    };
  },
});

const Count = Type.Object(
  {
    id: uuid('ID of the view.'),
    count: nullableInteger(
      `Conversations, up to ${MAX_COUNTED}. Null if the condition names a contact attribute that was deleted.`,
    ),
    more: Type.Boolean({ description: `true: there are more than ${MAX_COUNTED}.` }),
  },
  { description: 'The count of one view.' },
);

const countViewsRoute = defineOperation({
  method: 'GET',
  path: `${view.path}/counts`,
  operationId: 'countViews',
  summary: 'Count the conversations of all views',
  description: `Returns how many conversations each view of the acting agent has, in the order of the views. Counting stops at ${MAX_COUNTED}.`,
  tag: view.tag,
  scope: view.scopes.read,
  query: NoQuery,
  answer: {
    status: 200,
    description: 'The counts.',
    schema: Type.Object({ data: Type.Array(Count) }, { description: 'The counts, in the order of the views.' }),
    example: { data: [{ id: viewExampleId, count: 14, more: false }] },
  },
  handle: ({ rt, db }) => {
    return async (request) => {
      const counts = await countAllViews(rt, db, principalOf(request).tenantId, askedBy(request).agentId);
      return { data: counts.map(presentCount) };
    };
  },
});

const createViewRoute = createOperation(view, {
  description:
    'Creates a view of the acting agent or, with `shared`, one that all agents see, which needs the permission agents:manage. `me` in `conversation.assignee_id` is whoever looks.',
  body: strictObject('A view.', { ...required, ...optional(further) }),
  bodyExamples: { shared: { summary: 'A view that all agents see', value: viewInput } },
  answer: { headers: ['ETag'] },
  failures: [taken],
  create: ({ rt, db }, requester, request) => {
    requireConditionScopes(request, request.body.when);
    const { name, when: condition, sort: by = 'last_activity', shared: isShared = false, position: at } = request.body;
    const fields = { name, condition, sort: by, isShared, position: at ?? null };
    return createView(rt, db, { ...requester, ...askedBy(request) }, fields);
  },
});

const getViewRoute = defineOperation({
  method: 'GET',
  path: `${view.path}/:id`,
  operationId: 'getView',
  summary: 'Get a view',
  description: 'Returns a view of the acting agent, or a shared one.',
  tag: view.tag,
  scope: view.scopes.read,
  params: view.params,
  answer: itemAnswer(view, 'The view.'),
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const key = { tenantId, viewId: request.params.id.toLowerCase(), agentId: askedBy(request).agentId };
      return presentView(requireFound(await findView(db, key)));
    };
  },
});

const updateViewRoute = updateOperation(view, {
  description:
    'Updates the view. Omitted fields stay unchanged. With `shared: false`, a shared view becomes one of the acting agent.',
  body: changeOf({ ...required, ...further }),
  bodyExamples: { name: { summary: 'Rename', value: { name: 'Waiting VIPs' } } },
  failures: [taken],
  update: ({ rt, db }, { id: viewId, ...item }, request) => {
    requireConditionScopes(request, request.body.when);
    return updateView(rt, db, { ...item, viewId, ...askedBy(request) }, patchOf(request.body));
  },
});

const deleteViewRoute = deleteOperation(view, {
  description: 'Deletes the view. The conversations that it showed stay as they are.',
  remove: ({ rt, db }, { id: viewId, ...item }, request) =>
    deleteView(rt, db, { ...item, viewId, ...askedBy(request) }),
});

/** In the order of the documentation. */
export const savedViewOperations: readonly Operation[] = [
  listViewsRoute,
  countViewsRoute,
  createViewRoute,
  getViewRoute,
  updateViewRoute,
  deleteViewRoute,
];

const Patch = changeOf({ ...required, ...further });

function patchOf({ name, when: condition, sort: by, shared: isShared, position: at }: Static<typeof Patch>) {
  return givenOnly({ name, condition, sort: by, isShared, position: at });
}

function presentView({ viewId: id, condition: when, agentId, createdMs, updatedMs, ...rest }: SavedView): JsonObject {
  const { name, sort: by, position: at, version } = rest;
  return {
    id,
    name,
    when,
    sort: by,
    shared: agentId === null,
    position: at,
    version,
    created_at: formatRfc3339(createdMs),
    updated_at: formatRfc3339(updatedMs),
  };
}

function presentCount({ viewId: id, count }: ViewCount): JsonObject {
  const more = count !== null && count > MAX_COUNTED;
  return { id, count: more ? MAX_COUNTED : count, more };
}
