import Type from 'typebox';
import { ATTRIBUTE_TYPES } from '#contacts/domain/contact-attribute';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, PATTERN_SENTENCE, text, time, uuid, withExample } from '#http/schemas/fields';

const MAX_LABEL = 100;
export const attributeExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e70';

export const AttributeIdParams = Type.Object({
  id: withExample(uuid('Identifier of the definition.'), attributeExampleId),
});

const type = choiceOf(ATTRIBUTE_TYPES, 'What its values are. It cannot be changed.');

export const AttributeView = Type.Object(
  {
    id: uuid('Identifier of the definition.'),
    key: Type.String({ description: 'Its name in `attributes`.' }),
    type,
    label: Type.String({ description: 'What people call it.' }),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was defined.'),
  },
  named('ContactAttribute', 'What a tenant keeps of its contacts beyond what every contact has.'),
);

export const CreateAttribute = Type.Object(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,49}$',
      [PATTERN_SENTENCE]: 'must be 1 to 50 of a-z, 0-9 and _, and begin with a letter',
      description: 'Its name in `attributes` and in conditions.',
    }),
    type,
    label: Type.Optional(text(MAX_LABEL, 'What people call it; default: the key.')),
  },
  { additionalProperties: false, description: 'An attribute.' },
);

export const ChangeAttribute = Type.Object(
  { label: text(MAX_LABEL, 'What people call it.') },
  { additionalProperties: false, description: 'What people call it.' },
);

export const staleAttributeExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The attribute was changed meanwhile: its version is 2. Read it again.', code: 'precondition_failed' },
};

export const attributeUsedExample: ErrorExample = {
  name: 'attributeUsed',
  code: 'conflict',
  body: {
    error: 'The segment Birthdays asks for this attribute. Change or delete the segment first.',
    code: 'conflict',
  },
};

export const attributeExample: JsonObject = {
  id: attributeExampleId,
  key: 'birthday',
  type: 'date',
  label: 'Birthday',
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
};
