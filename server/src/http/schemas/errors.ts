import Type from 'typebox';
import { type ApiErrorCode, apiErrors } from '#core/errors';
import { choiceOf, named } from './fields.ts';

const apiErrorCodes = Object.keys(apiErrors) as readonly ApiErrorCode[];

/** The body of every answer that is not a success. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'One sentence a person can act on.' }),
    code: choiceOf(apiErrorCodes, named('ErrorCode', 'Stable code; docs/errors.md describes each one.')),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Where: body.to, query.limit, header.idempotency-key.' }),
          message: Type.String({ description: 'What is wrong with it.' }),
        }),
        { description: 'All faults at once, when the request is not valid.' },
      ),
    ),
  },
  named('Error', 'What went wrong.'),
);
