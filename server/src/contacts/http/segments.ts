import Type from 'typebox';
import { createSegment, deleteSegment, readSegment, updateSegment } from '#contacts/actions/manage-segments';
import { listSegments, type Segment } from '#contacts/store/segments';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import type { Operation } from '#http/operation';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { staleExample } from '#http/schemas/errors';
import {
  changeOf,
  named,
  nullableInteger,
  nullableTime,
  strictObject,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';
import { ConditionBody } from './schemas/condition.ts';

const MAX_NAME = 200;
export const segmentExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e80';

const SegmentView = Type.Object(
  {
    id: uuid('ID of the segment.'),
    name: Type.String({ description: 'Name.' }),
    when: ConditionBody,
    count: nullableInteger('Contacts when last counted. Null if not counted yet. Reading the segment counts them.'),
    evaluated_at: nullableTime('When it was last counted.'),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named('Segment', 'A named condition about contacts.'),
);

const segmentFields = { name: text(MAX_NAME, 'Name.'), when: ConditionBody };

const segmentInput: JsonObject = {
  name: 'Very important',
  when: { field: 'contact.tags', match: 'has', value: 'VIP' },
};
const segmentExample: JsonObject = {
  id: segmentExampleId,
  ...segmentInput,
  count: 42,
  evaluated_at: '2030-01-01T09:00:00.000Z',
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

const segment: Resource<Segment> = {
  path: '/v1/segments',
  name: 'Segment',
  noun: 'segment',
  tag: 'Contacts',
  scopes: { read: 'contacts:read', write: 'contacts:write' },
  writePermission: 'contacts:manage',
  params: Type.Object({ id: withExample(uuid('ID of the segment.'), segmentExampleId) }),
  view: SegmentView,
  example: segmentExample,
  stale: staleExample('segment', 2),
  present: presentSegment,
};

const listSegmentsRoute = listOperation(segment, {
  description: 'Returns the named conditions about contacts, newest first, each with its last count.',
  read: ({ db }, { tenantId, window }) => listSegments(db, tenantId, window),
  idOf: ({ segmentId }) => segmentId,
});

const createSegmentRoute = createOperation(segment, {
  description: 'Creates a named condition about contacts. Its members are determined each time the segment is used.',
  body: strictObject('A segment.', segmentFields),
  bodyExamples: { tag: { summary: 'Contacts with a tag', value: segmentInput } },
  answer: { example: { ...segmentExample, count: null, evaluated_at: null }, headers: ['ETag'] },
  create: ({ rt, db }, requester, { body: { name, when: condition } }) =>
    createSegment(rt, db, requester, { name, condition }),
});

const getSegmentRoute = getOperation(segment, {
  description: 'Returns the condition, with a count of its contacts from within the last minute.',
  find: ({ rt, db }, tenantId, id) => readSegment(rt, db, tenantId, id),
});

const updateSegmentRoute = updateOperation(segment, {
  description:
    'Updates the segment. Omitted fields stay unchanged. If the condition changes, its contacts are counted again.',
  body: changeOf(segmentFields),
  bodyExamples: { all: { summary: 'Change name and condition', value: segmentInput } },
  update: ({ rt, db }, item, { body: { name, when: condition } }) =>
    updateSegment(rt, db, { ...item, segmentId: item.id }, givenOnly({ name, condition })),
});

const deleteSegmentRoute = deleteOperation(segment, {
  description: 'Deletes the segment with immediate effect; its contacts stay.',
  remove: ({ rt, db }, item) => deleteSegment(rt, db, { ...item, segmentId: item.id }),
});

/** In the order of the documentation. */
export const segmentOperations: readonly Operation[] = [
  listSegmentsRoute,
  createSegmentRoute,
  getSegmentRoute,
  updateSegmentRoute,
  deleteSegmentRoute,
];

function presentSegment(segment: Segment): JsonObject {
  return {
    id: segment.segmentId,
    name: segment.name,
    when: segment.condition,
    count: segment.contactCount,
    evaluated_at: timeOrNull(segment.evaluatedMs),
    version: segment.version,
    created_at: formatRfc3339(segment.createdMs),
    updated_at: formatRfc3339(segment.updatedMs),
  };
}
