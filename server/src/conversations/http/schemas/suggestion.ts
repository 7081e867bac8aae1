import Type from 'typebox';
import { MAX_SUGGESTION, MAX_SUGGESTION_S, suggestionStatuses } from '#conversations/domain/suggestion';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import {
  choiceOf,
  named,
  nullableTime,
  nullableUuid,
  optional,
  strictObject,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { ActorView, assigneeExampleId, conversationExampleId } from './conversation.ts';

export const suggestionExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4ec0';

const state = {
  id: uuid('ID of the suggestion.'),
  conversation_id: uuid('ID of the conversation.'),
  status: choiceOf(suggestionStatuses, named('SuggestionStatus', 'Only an open one can be taken over or discarded.')),
  author: ActorView,
  decided_by: nullableUuid('Agent who took it over or discarded it.'),
  decided_at: nullableTime('When that was.'),
  created_at: time(named('CreatedAt', 'When it was created.')),
  expires_at: time('Until when it is open, unless an agent decides before.'),
};

export const SuggestionView = Type.Object(
  { ...state, body: Type.String({ description: 'The text.' }) },
  named('Suggestion', 'An answer that is proposed to the agents of a conversation.'),
);

export const CreateSuggestion = strictObject('A suggestion.', {
  body: text(MAX_SUGGESTION, 'The text of the answer.'),
  ...optional({
    expires_in_s: Type.Integer({
      minimum: 1,
      maximum: MAX_SUGGESTION_S,
      description: 'Seconds for which it is open. Default: 24 hours.',
    }),
  }),
});

export const SuggestionParams = Type.Object({
  id: withExample(uuid('ID of the suggestion.'), suggestionExampleId),
});

const stateExample = {
  id: suggestionExampleId,
  conversation_id: conversationExampleId,
  status: 'open',
  author: { kind: 'key', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e99' },
  decided_by: null,
  decided_at: null,
  created_at: '2030-01-01T09:00:02.000Z',
  expires_at: '2030-01-02T09:00:02.000Z',
};
export const suggestionExample = { ...stateExample, body: 'It leaves today, before noon.' };
const decided = { decided_by: assigneeExampleId, decided_at: '2030-01-01T09:01:00.000Z' };
export const takenExample = { ...suggestionExample, status: 'taken', ...decided };
export const discardedExample = { ...suggestionExample, status: 'discarded', ...decided };

const SuggestionEventData = Type.Object(
  state,
  named('SuggestionEventData', 'The suggestion without its text, which only those who read it see.'),
);

export const suggestionEvents: Partial<Record<EventType, EventDescription>> = {
  'suggestion.created': { data: SuggestionEventData, example: stateExample },
  'suggestion.taken': { data: SuggestionEventData, example: { ...stateExample, status: 'taken', ...decided } },
  'suggestion.discarded': { data: SuggestionEventData, example: { ...stateExample, status: 'discarded', ...decided } },
};
