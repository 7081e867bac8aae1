import Type from 'typebox';
import { choiceOf, uuid } from './fields.ts';

/** What answers a DELETE. */
export const Removed = Type.Object(
  { id: uuid('What was removed.'), status: choiceOf(['removed'], 'It is gone.') },
  { description: 'It is gone.' },
);
