import { Ajv, type Options } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { PATTERN_SENTENCE } from '../schemas/fields.ts';
import { parseRfc3339 } from './rfc3339.ts';

const ANY_CASE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const base: Options = {
  // All faults at once: a caller fixes a request in one go.
  allErrors: true,
  // An unknown field is a 400, never dropped in silence.
  removeAdditional: false,
  useDefaults: true,
  // Faults carry the schema they broke, so that their sentence can name the limit.
  verbose: true,
  allowUnionTypes: true,
  keywords: [PATTERN_SENTENCE],
  formats: {
    uuid: ANY_CASE_UUID,
    'date-time': (text: string) => parseRfc3339(text) !== null,
  },
};

/**
 * Compiles the validators of all routes. Only the query is coerced, because it has no types of its own: the JSON
 * number 42 is not a text, and in a body the caller is told so.
 */
export function validatorCompiler(): FastifySchemaCompiler<object> {
  const strict = new Ajv({ ...base, coerceTypes: false });
  const coercing = new Ajv({ ...base, coerceTypes: true });
  return ({ schema, httpPart }) => (httpPart === 'querystring' ? coercing : strict).compile(schema);
}
