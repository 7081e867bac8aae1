import Type from 'typebox';
import type { JsonValue } from '#core/json';
import type { Answer } from '#http/operation';
import { choiceOf, named, uuid } from './fields.ts';

const Deleted = Type.Object(
  { id: uuid('Identifier of what was deleted.'), status: choiceOf(['deleted'], 'It is gone.') },
  named('Deleted', 'It is gone.'),
);

/** What answers a DELETE, as an operation declares it. */
export function deletedAnswer(description: string, exampleId: JsonValue | undefined): Answer {
  return { status: 200, description, schema: Deleted, example: { id: exampleId ?? '', status: 'deleted' } };
}
