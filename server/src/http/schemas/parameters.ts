import Type from 'typebox';
import { uuid } from './fields.ts';

/** The path parameter of everything below `/v1/messages/{id}`. */
export const MessageIdParams = Type.Object({ id: uuid('Identifier of the message.') });

/** For operations without query parameters: a surplus one is a 400, not silence. */
export const NoQuery = Type.Object({}, { additionalProperties: false });

/** Nothing, or an empty object: some clients cannot post without a body. */
export const NoBody = Type.Unsafe<null | object>({ type: ['object', 'null'], additionalProperties: false });
