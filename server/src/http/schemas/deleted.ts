import Type from 'typebox';
import { choiceOf, named, uuid } from './fields.ts';

/** What answers a DELETE. */
export const Deleted = Type.Object(
  { id: uuid('Identifier of what was deleted.'), status: choiceOf(['deleted'], 'It is gone.') },
  named('Deleted', 'It is gone.'),
);
