import Type from 'typebox';
import type { JsonValue } from '#core/json';
import type { Answer } from '#http/operation';
import { choiceOf, named, uuid } from './fields.ts';

const Deleted = Type.Object(
  { id: uuid('ID of the deleted object.'), status: choiceOf(['deleted'], 'It was deleted.') },
  named('Deleted', 'It was deleted.'),
);

/** What answers a DELETE, as an operation declares it. */
export function deletedAnswer(description: string, exampleId: JsonValue | undefined): Answer {
  return { status: 200, description, schema: Deleted, example: { id: exampleId ?? '', status: 'deleted' } };
}
