import Type from 'typebox';
import { uuid, withExample } from './fields.ts';

/** The path parameter of everything below `/v1/messages/{id}`. */
export const MessageIdParams = Type.Object({
  id: withExample(
    uuid('ID of the message, or the one that it has on the network.'),
    '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  ),
});

/** For operations without query parameters: a surplus one is a 400, not silence. */
export const NoQuery = Type.Object({}, { additionalProperties: false });

/** Nothing, or an empty object: some clients cannot post without a body. */
export const NoBody = Type.Unsafe<null | object>({ type: ['object', 'null'], additionalProperties: false });
