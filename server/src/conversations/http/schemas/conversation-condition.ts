import Type from 'typebox';
import { describeFields } from '#contacts/http/schemas/condition';
import { conversationFieldRules } from '#conversations/domain/conversation-fields';
import type { JsonObject } from '#core/json';
import { CONDITION_FIELDS, named } from '#http/schemas/fields';

/** A condition about conversations where it stands in a body: checked in full by core/conditions. */
export const ConversationConditionBody = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  [CONDITION_FIELDS]: describeFields(conversationFieldRules, 'regex'),
  ...named(
    'ConversationCondition',
    '{"all": […]}, {"any": […]}, {"not": …} or {"field", "match", "value"}. Fields start with conversation. or contact., such as conversation.status.',
  ),
});
