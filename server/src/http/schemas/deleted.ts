import Type from 'typebox';
import { choiceOf, uuid } from './fields.ts';

/** What answers a DELETE. */
export const Deleted = Type.Object(
  { id: uuid('Identifier of what was deleted.'), status: choiceOf(['deleted'], 'It is gone.') },
  { description: 'It is gone.' },
);
