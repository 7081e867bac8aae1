import Type from 'typebox';
import { proposeSuggestion, settleSuggestion } from '#conversations/actions/manage-suggestions';
import {
  describeSuggestion,
  MAX_OPEN_SUGGESTIONS,
  SUGGESTION_S,
  type Suggestion,
} from '#conversations/domain/suggestion';
import { listSuggestions } from '#conversations/store/suggestions';
import type { JsonObject } from '#core/json';
import { withEvents } from '#events/actions/with-events';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { actorOf, assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { conflictExample } from '#http/schemas/errors';
import { queryOf, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { NoBody } from '#http/schemas/parameters';
import { conversationResource } from './conversations.ts';
import { requireConversation } from './present/conversation.ts';
import {
  CreateSuggestion,
  discardedExample,
  SuggestionParams,
  SuggestionView,
  suggestionExample,
  takenExample,
} from './schemas/suggestion.ts';

const listSuggestionsRoute = defineOperation({
  method: 'GET',
  ...belowItem(conversationResource, 'suggestions', 'read'),
  operationId: 'listSuggestions',
  summary: 'List the suggestions of a conversation',
  description:
    'Returns the answers that programs and rules proposed, newest first, with what agents decided about them. They are kept for 30 days after they expired.',
  query: queryOf({
    ...pageQuery,
    open: Type.Optional(
      withExample(Type.Boolean({ description: 'true: only those that can be taken over now.' }), true),
    ),
  }),
  answer: pageAnswer('suggestions', SuggestionView, suggestionExample),
  errors: ['not_found'],
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { conversationId } = await requireConversation(db, principalOf(request).tenantId, request.params.id);
      const isOpen = request.query.open === true;
      const nowMs = rt.clock.now();
      return answerList(request, reply, {
        cursorKey,
        name: 'suggestions',
        filter: givenOnly({ conversationId, open: isOpen ? 'true' : undefined }),
        read: (tenantId, window) =>
          listSuggestions(db, { tenantId, conversationId, openAtMs: isOpen ? nowMs : null }, window),
        idOf: ({ suggestionId }) => suggestionId,
        present: (one) => presentSuggestion(one, nowMs),
      });
    };
  },
});

const createSuggestionRoute = defineOperation({
  method: 'POST',
  ...belowItem(conversationResource, 'suggestions', 'write'),
  operationId: 'createSuggestion',
  summary: 'Suggest an answer',
  description: `Proposes a text to the agents of a conversation. Nothing is sent: an agent sees it in the inbox, and takes it over as a draft or discards it. A conversation has at most ${MAX_OPEN_SUGGESTIONS} open suggestions.`,
  body: CreateSuggestion,
  bodyExamples: {
    text: { summary: 'An answer', value: { body: 'It leaves today, before noon.' } },
    short: { summary: 'Open for ten minutes', value: { body: 'It is at the door.', expires_in_s: 600 } },
  },
  takesIdempotencyKey: 'within',
  answer: { status: 201, description: 'The suggestion.', schema: SuggestionView, example: suggestionExample },
  errorExamples: [
    conflictExample(
      'tooManySuggestions',
      'The conversation has 5 open suggestions. Agents must take over or discard one first.',
    ),
  ],
  handle: ({ rt }) => {
    return (request, _reply, once) => {
      const { body, expires_in_s: lastsS = SUGGESTION_S } = request.body;
      const { tenantId } = principalOf(request);
      const conversationId = request.params.id.toLowerCase();
      const proposal = { tenantId, conversationId, body, author: actorOf(request), lastsS };
      return once.change(
        (db) => withEvents(rt, db, (tx, events) => proposeSuggestion(rt, tx, events, proposal)),
        (one) => presentSuggestion(one, rt.clock.now()),
      );
    };
  },
});

interface Deciding {
  readonly verb: 'take' | 'discard';
  readonly status: 'taken' | 'discarded';
  readonly texts: Pick<Operation, 'summary' | 'description'>;
  readonly example: JsonObject;
}

function decidingOperation({ verb, status, texts, example }: Deciding): Operation {
  return defineOperation({
    method: 'POST',
    path: `/v1/suggestions/:id/${verb}`,
    operationId: `${verb}Suggestion`,
    ...texts,
    tag: conversationResource.tag,
    scope: conversationResource.scopes.write,
    params: SuggestionParams,
    requestHeaders: [requiredAgentHeader],
    body: NoBody,
    takesIdempotencyKey: 'within',
    answer: { status: 200, description: 'The suggestion.', schema: SuggestionView, example },
    errors: ['not_found'],
    errorExamples: [conflictExample('decidedBefore', 'An agent has discarded this suggestion before.')],
    handle: ({ rt }) => {
      return (request, _reply, once) => {
        const { tenantId } = principalOf(request);
        const suggestionId = request.params.id.toLowerCase();
        const decision = { tenantId, suggestionId, agentId: assertAgent(request), status };
        return once.change(
          (db) => settleSuggestion(rt, db, decision),
          (one) => presentSuggestion(one, rt.clock.now()),
        );
      };
    },
  });
}

const takeSuggestionRoute = decidingOperation({
  verb: 'take',
  status: 'taken',
  texts: {
    summary: 'Take over a suggestion',
    description:
      'Makes the suggestion the draft of the acting agent, in place of the draft before. Of two agents, the first gets it; the other gets 409.',
  },
  example: takenExample,
});

const discardSuggestionRoute = decidingOperation({
  verb: 'discard',
  status: 'discarded',
  texts: {
    summary: 'Discard a suggestion',
    description: 'Removes the suggestion from what agents are offered. Who discarded it is recorded.',
  },
  example: discardedExample,
});

/** In the order of the documentation. */
export const suggestionOperations: readonly Operation[] = [
  listSuggestionsRoute,
  createSuggestionRoute,
  takeSuggestionRoute,
  discardSuggestionRoute,
];

function presentSuggestion(one: Suggestion, nowMs: number): JsonObject {
  return { ...describeSuggestion(one, nowMs), body: one.body };
}
