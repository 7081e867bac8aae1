import { Ajv, type SchemaValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { JsonValue } from '#core/json';
import type { ContentRule } from '#core/rule-fault';
import { RULES } from '#http/schemas/fields';
import { baseOptions, knowDependentSchemas } from './options.ts';
import { compileSchema, type Validator } from './variants.ts';

/** For bodies and paths. Each of the two compiles a schema once, however many routes and services of a process ask for it. */
const strict = new Ajv({ ...baseOptions, coerceTypes: false });
/** For the query. Ajv makes Infinity of 1e400, and with strictNumbers would then pass over its minimum and maximum. */
const coercing = new Ajv({ ...baseOptions, coerceTypes: true, strictNumbers: false });
knowDependentSchemas(strict);

/**
 * Compiles the validators of all routes. Only the query is coerced, because it has no types of its own: the JSON
 * number 42 is not a text, and in a body the caller is told so.
 */
export function validatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) =>
    httpPart === 'querystring' ? coercing.compile(schema) : compileSchema(strict, schema);
}

/** The validator of one body, for those that come in a list. */
export function bodyValidator(schema: object): Validator {
  return compileSchema(strict, schema);
}

/** Rules between fields run with the schema, so that their faults come in the same answer. */
const checkRules: SchemaValidateFunction = (rules: readonly ContentRule[], data: JsonValue) => {
  // Nearly every message is right, and each has several of these: without a fault nothing is made.
  if (rules.every((rule) => rule(data).length === 0)) return true;
  const faults = rules.flatMap((rule) => rule(data));
  checkRules.errors = faults.map((fault) => ({ keyword: RULES, message: fault.message, params: { ...fault } }));
  return false;
};
strict.addKeyword({ keyword: RULES, validate: checkRules });
