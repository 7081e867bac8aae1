import Type, { type TSchema } from 'typebox';
import { named } from '#http/schemas/fields';

/** What an event type carries. */
export interface EventDescription {
  readonly data: TSchema;
  readonly example: unknown;
}

/** In events about a change, beside the fields of what changed. */
export const fieldChanges = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
  ...named('FieldChanges', 'Each field that changed, with its old and its new value.'),
});
