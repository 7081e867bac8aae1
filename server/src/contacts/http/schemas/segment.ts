import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { named, nullableTime, text, time, uuid, withExample } from '#http/schemas/fields';
import { ConditionBody } from './condition.ts';

const MAX_NAME = 200;
export const segmentExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e80';

export const SegmentView = Type.Object(
  {
    id: uuid('Identifier of the segment.'),
    name: Type.String({ description: 'What it is called.' }),
    when: ConditionBody,
    count: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'How many contacts it held for when it was last counted; null: not counted yet. Reading it counts.',
    }),
    evaluated_at: nullableTime('When it was last counted.'),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
  },
  named('Segment', 'A condition about contacts that has a name.'),
);

export const SegmentIdParams = Type.Object({ id: withExample(uuid('Identifier of the segment.'), segmentExampleId) });

export const CreateSegment = Type.Object(
  { name: text(MAX_NAME, 'What it is called.'), when: ConditionBody },
  { additionalProperties: false, description: 'A segment.' },
);
export const ChangeSegment = Type.Object(
  { name: Type.Optional(text(MAX_NAME, 'What it is called.')), when: Type.Optional(ConditionBody) },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);

const when: JsonObject = { field: 'contact.tags', match: 'has', value: 'VIP' };
export const segmentBodyExample: JsonObject = { name: 'Very important', when };
export const segmentExample: JsonObject = {
  id: segmentExampleId,
  name: 'Very important',
  when,
  count: 42,
  evaluated_at: '2030-01-01T09:00:00.000Z',
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

export const staleSegmentExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The segment was changed meanwhile: its version is 2. Read it again.', code: 'precondition_failed' },
};
