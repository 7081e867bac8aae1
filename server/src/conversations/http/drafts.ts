import Type from 'typebox';
import { type Draft, type DraftKey, deleteDraft, findDraft, listDrafts, saveDraft } from '#conversations/store/drafts';
import { requireFound } from '#core/errors';
import type { MediaId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { type Answer, defineOperation, type Operation } from '#http/operation';
import { assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { deletedAnswer } from '#http/schemas/deleted';
import { NO_NUL, named, optional, queryOf, strictObject, time, uuid } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { requireMedia } from '#media/actions/require-media';
import { conversationResource } from './conversations.ts';
import { assigneeExampleId, conversationExampleId } from './schemas/conversation.ts';

/** As long as a text message. */
const MAX_DRAFT = 4096;
const MAX_DRAFT_MEDIA = 10;

const SetDraft = strictObject('The draft. It replaces the one before.', {
  body: Type.String({ ...NO_NUL, maxLength: MAX_DRAFT, description: 'Text. May be empty if there are media.' }),
  ...optional({
    media_ids: Type.Array(uuid('An uploaded file.'), {
      maxItems: MAX_DRAFT_MEDIA,
      description: 'Files to send with it, in order. Default: none.',
    }),
  }),
});

const DraftView = Type.Object(
  {
    conversation_id: uuid('ID of the conversation.'),
    agent_id: uuid('Agent who wrote it.'),
    body: Type.String({ description: 'Text.' }),
    media_ids: Type.Array(uuid('An uploaded file.'), { description: 'Files to send with it, in order.' }),
    created_at: time('When it was begun.'),
    updated_at: time('When it was last saved.'),
  },
  named('ConversationDraft', 'What an agent has written in a conversation and not sent.'),
);

const draftExample: JsonObject = {
  conversation_id: conversationExampleId,
  agent_id: assigneeExampleId,
  body: 'It leaves today, before',
  media_ids: [],
  created_at: '2030-01-01T09:02:00.000Z',
  updated_at: '2030-01-01T09:02:11.000Z',
};

function draftAnswer(description: string): Answer {
  return { status: 200, description, schema: DraftView, example: draftExample };
}

type Asked = Parameters<typeof assertAgent>[0] & Parameters<typeof principalOf>[0] & { params: { id: string } };

/** The draft of the acting agent in the conversation of the path. @throws ApiProblem validation_failed without an agent */
function draftOf(request: Asked): DraftKey {
  const { tenantId } = principalOf(request);
  return { tenantId, conversationId: request.params.id.toLowerCase(), agentId: assertAgent(request) };
}

const listDraftsRoute = defineOperation({
  method: 'GET',
  path: '/v1/drafts',
  operationId: 'listDrafts',
  summary: 'List the drafts of an agent',
  description:
    'Returns what the acting agent has saved and not sent in all conversations, the newest conversation first. Nobody else sees it.',
  tag: conversationResource.tag,
  scope: conversationResource.scopes.read,
  requestHeaders: [requiredAgentHeader],
  query: queryOf(pageQuery),
  answer: pageAnswer('drafts', DraftView, draftExample),
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const agentId = assertAgent(request);
      return answerList(request, reply, {
        cursorKey,
        name: 'drafts',
        filter: { agentId },
        read: (tenantId, window) => listDrafts(db, { tenantId, agentId }, window),
        idOf: ({ conversationId }) => conversationId,
        present: presentDraft,
      });
    };
  },
});

const getConversationDraftRoute = defineOperation({
  method: 'GET',
  ...belowItem(conversationResource, 'draft', 'read'),
  operationId: 'getConversationDraft',
  summary: 'Get the draft of an agent',
  description: 'Returns what the acting agent has saved in this conversation and not sent. Nobody else sees it.',
  requestHeaders: [requiredAgentHeader],
  answer: draftAnswer('The draft.'),
  handle:
    ({ db }) =>
    async (request) =>
      presentDraft(requireFound(await findDraft(db, draftOf(request)))),
});

const setConversationDraftRoute = defineOperation({
  method: 'PUT',
  ...belowItem(conversationResource, 'draft', 'write'),
  operationId: 'setConversationDraft',
  summary: 'Save the draft of an agent',
  description:
    'Saves what the acting agent has written so far, in place of the draft before. It is deleted when the agent sends a reply in the conversation. Saving it is no event.',
  requestHeaders: [requiredAgentHeader],
  body: SetDraft,
  bodyExamples: { text: { summary: 'A text', value: { body: 'It leaves today, before' } } },
  answer: draftAnswer('The saved draft.'),
  handle: ({ rt, db }) => {
    return async (request) => {
      const key = draftOf(request);
      const { body, media_ids: given = [] } = request.body;
      const mediaIds = given.map((id) => id.toLowerCase() as MediaId);
      if (body === '' && mediaIds.length === 0) {
        throw problemOf([
          { path: 'body.body', message: 'body must not be empty without media_ids. Delete the draft instead.' },
        ]);
      }
      await requireMedia(rt, db, key.tenantId, mediaIds);
      return presentDraft(requireFound(await saveDraft(db, key, { body, mediaIds, nowMs: rt.clock.now() })));
    };
  },
});

const deleteConversationDraftRoute = defineOperation({
  method: 'DELETE',
  ...belowItem(conversationResource, 'draft', 'write'),
  operationId: 'deleteConversationDraft',
  summary: 'Delete the draft of an agent',
  description: 'Deletes what the acting agent has saved in this conversation. Returns 404 if there is no draft.',
  requestHeaders: [requiredAgentHeader],
  answer: deletedAnswer('The draft was deleted. The ID is that of the conversation.', conversationExampleId),
  handle: ({ db }) => {
    return async (request) => {
      const key = draftOf(request);
      requireFound((await deleteDraft(db, key)) || null);
      return { id: key.conversationId, status: 'deleted' };
    };
  },
});

/** In the order of the documentation. */
export const draftOperations: readonly Operation[] = [
  listDraftsRoute,
  getConversationDraftRoute,
  setConversationDraftRoute,
  deleteConversationDraftRoute,
];

function presentDraft({ conversationId, agentId, body, mediaIds, createdMs, updatedMs }: Draft): JsonObject {
  return {
    conversation_id: conversationId,
    agent_id: agentId,
    body,
    media_ids: [...mediaIds],
    created_at: formatRfc3339(createdMs),
    updated_at: formatRfc3339(updatedMs),
  };
}
