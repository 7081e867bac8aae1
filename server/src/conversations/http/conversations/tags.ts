import Type, { type Static } from 'typebox';
import { tagChanges } from '#conversations/http/schemas/conversation';
import { changeOperation } from './change-operation.ts';
import { readChange } from './read-change.ts';

const Body = Type.Object(tagChanges, {
  additionalProperties: false,
  minProperties: 1,
  description: 'Tags are removed first, then added.',
});

export const tagConversationRoute = changeOperation<Static<typeof Body>>({
  verb: 'tags',
  operationId: 'tagConversation',
  summary: 'Tag a conversation',
  description:
    'Adds and removes tags. Adding a tag that is already present, or removing one that is not, has no effect.',
  body: Body,
  bodyExamples: { both: { summary: 'One for another', value: { add_tags: ['refund'], remove_tags: ['delivery'] } } },
  conflict: {
    name: 'tooManyTags',
    code: 'conversation_conflict',
    body: { error: 'A conversation has at most 50 tags.', code: 'conversation_conflict' },
  },
  read: readChange,
});
