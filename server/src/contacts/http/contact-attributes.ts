import Type from 'typebox';
import { deleteAttribute, relabelAttribute } from '#contacts/actions/change-attribute';
import { defineAttribute } from '#contacts/actions/define-attribute';
import { ATTRIBUTE_TYPES } from '#contacts/domain/contact-attribute';
import { findAttribute } from '#contacts/store/change-attributes';
import { type AttributeDefinition, listAttributes } from '#contacts/store/contact-attributes';
import type { JsonObject } from '#core/json';
import type { Operation } from '#http/operation';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import {
  choiceOf,
  named,
  optional,
  PATTERN_SENTENCE,
  strictObject,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';

const MAX_LABEL = 100;
const exampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e70';

const type = choiceOf(ATTRIBUTE_TYPES, 'Type of its values. It cannot be changed.');

const AttributeView = Type.Object(
  {
    id: uuid('ID of the definition.'),
    key: Type.String({ description: 'Key in `attributes`.' }),
    type,
    label: Type.String({ description: 'Display name.' }),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time('When it was created.'),
  },
  named('ContactAttribute', 'A custom attribute of contacts.'),
);

const CreateAttribute = strictObject('An attribute.', {
  key: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,49}$',
    [PATTERN_SENTENCE]: 'must be 1 to 50 of a-z, 0-9 and _, and begin with a letter',
    description: 'Key in `attributes` and in conditions.',
  }),
  type,
  ...optional({ label: text(MAX_LABEL, 'Display name. Default: the key.') }),
});

const attributeExample: JsonObject = {
  id: exampleId,
  key: 'birthday',
  type: 'date',
  label: 'Birthday',
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
};

const attribute: Resource<AttributeDefinition> = {
  path: '/v1/contact-attributes',
  name: 'ContactAttribute',
  noun: 'attribute',
  one: 'a contact attribute',
  many: 'definitions',
  tag: 'Contacts',
  scopes: { read: 'contacts:read', write: 'contacts:write' },
  writePermission: 'contacts:manage',
  params: Type.Object({ id: withExample(uuid('ID of the definition.'), exampleId) }),
  view: AttributeView,
  example: attributeExample,
  stale: staleExample('attribute', 2),
  present: presentAttribute,
};

const listContactAttributesRoute = listOperation(attribute, {
  summary: 'List contact attributes',
  description: 'Returns the custom attributes that the tenant keeps about its contacts, newest first.',
  read: ({ db }, { tenantId, window }) => listAttributes(db, tenantId, window),
  idOf: ({ attributeId }) => attributeId,
});

const createContactAttributeRoute = createOperation(attribute, {
  description:
    'Creates an attribute. From now on, contacts can have a value for it, and conditions can use it. A tenant can have at most 200.',
  body: CreateAttribute,
  bodyExamples: { date: { summary: 'A date attribute', value: { key: 'birthday', type: 'date', label: 'Birthday' } } },
  failures: [
    conflictExample('attributeExists', 'The attribute birthday already exists, or the limit of 200 is reached.'),
  ],
  create: ({ rt, db }, requester, { body: { key, type, label = key } }) =>
    defineAttribute(rt, db, requester, { key, type, label }),
});

const getContactAttributeRoute = getOperation(attribute, {
  description: 'Returns the name of an attribute, and what its values are.',
  answer: { description: 'The definition.' },
  find: ({ db }, tenantId, id) => findAttribute(db, tenantId, id),
});

const updateContactAttributeRoute = updateOperation(attribute, {
  summary: 'Rename a contact attribute',
  description:
    'Updates the attribute. Its key and type cannot be changed, because values were checked against them and conditions refer to them.',
  body: strictObject('Display name.', { label: text(MAX_LABEL, 'Display name.') }),
  bodyExamples: { label: { summary: 'Change the label', value: { label: 'Date of birth' } } },
  answer: { description: 'The updated definition.' },
  update: ({ rt, db }, item, { body }) => relabelAttribute(rt, db, { ...item, attributeId: item.id }, body.label),
});

const deleteContactAttributeRoute = deleteOperation(attribute, {
  description:
    "Deletes the attribute's values from all contacts, then the attribute itself. No events are emitted for the individual contacts. A segment that uses the attribute must be changed first.",
  failures: [
    conflictExample('attributeUsed', 'The segment Birthdays uses this attribute. Change or delete the segment first.'),
  ],
  remove: ({ rt, db }, item) => deleteAttribute(rt, db, { ...item, attributeId: item.id }),
});

/** In the order of the documentation. */
export const contactAttributeOperations: readonly Operation[] = [
  listContactAttributesRoute,
  createContactAttributeRoute,
  getContactAttributeRoute,
  updateContactAttributeRoute,
  deleteContactAttributeRoute,
];

function presentAttribute(definition: AttributeDefinition): JsonObject {
  const { attributeId, key, type, label, version, createdMs } = definition;
  return { id: attributeId, key, type, label, version, created_at: formatRfc3339(createdMs) };
}
