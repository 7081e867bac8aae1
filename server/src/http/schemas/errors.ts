import Type from 'typebox';
import { type ApiErrorCode, apiErrors, type FaultDetail } from '#core/errors';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named } from './fields.ts';

const apiErrorCodes = Object.keys(apiErrors) as readonly ApiErrorCode[];

/** The body of every answer that is not a success. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'One sentence for people.' }),
    code: choiceOf(apiErrorCodes, named('ErrorCode', 'Stable code; docs/errors.md describes each one.')),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Where the problem is: body.to, query.limit, header.idempotency-key.' }),
          message: Type.String({ description: 'Description of the problem.' }),
        }),
        { description: 'All problems, if the request is not valid.' },
      ),
    ),
  },
  {
    ...named('Error', 'What went wrong.'),
    examples: [
      {
        error: 'limit must be a whole number from 1 to 1000.',
        code: 'validation_failed',
        details: [{ path: 'query.limit', message: 'limit must be a whole number from 1 to 1000.' }],
      },
    ],
  },
);

/**
 * A failure as it is answered.
 * @param name tells it apart from others of the operation
 * @param path what is at fault, when the details name it: they then say the same as the sentence
 */
export function errorExample(name: string, code: ApiErrorCode, error: string, path?: string): ErrorExample {
  return { name, code, body: { error, code, ...(path ? { details: [{ path, message: error }] } : {}) } };
}

/** A failure because of one part of the request. Its sentence ends in a point, also where that of the part does not. */
export function faultExample(name: string, code: ApiErrorCode, { path, message }: FaultDetail): ErrorExample {
  const error = message.endsWith('.') ? message : `${message}.`;
  return { name, code, body: { error, code, details: [{ path, message }] } };
}

/** A refusal because of the state that something is in. @param name tells it apart from others of the operation */
export function conflictExample(name: string, error: string): ErrorExample {
  return errorExample(name, 'conflict', error);
}

/** What answers a version that is not the current one. @param noun what the sentence calls the resource */
export function staleExample(noun: string, version = 4): ErrorExample {
  const error = `The ${noun} has changed: its version is now ${version}. Read it again.`;
  return errorExample('changedMeanwhile', 'precondition_failed', error);
}
