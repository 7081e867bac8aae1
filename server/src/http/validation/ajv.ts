import { Ajv, type SchemaValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { JsonValue } from '#core/json';
import type { ContentRule } from '#core/rule-fault';
import { RULES, VARIANTS } from '#http/schemas/fields';
import { baseOptions, knowDependentSchemas } from './options.ts';
import { compileSchema, lazily, type Validator } from './variants.ts';

/** For bodies and paths. Each of the two compiles a schema once, however many routes and services of a process ask for it. */
const strict = new Ajv({ ...baseOptions, coerceTypes: false });
/** For the query. Ajv makes Infinity of 1e400, and with strictNumbers would then pass over its minimum and maximum. */
const coercing = new Ajv({ ...baseOptions, coerceTypes: true, strictNumbers: false });
knowDependentSchemas(strict);

/** By schema, so that each is compiled once. */
const ofBodies = new WeakMap<object, Validator>();
const ofQueries = new WeakMap<object, Validator>();

/**
 * Compiles the validators of all routes, each with its first request: all of them together take as long as the rest of a start. Only the query is coerced, because it has no types of its own: the JSON
 * number 42 is not a text, and in a body the caller is told so.
 */
export function validatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) =>
    httpPart === 'querystring'
      ? knownOr(ofQueries, schema, () => compiledWhenCalled(() => coercing.compile(schema)))
      : knownOr(ofBodies, schema, () => compileBody(schema));
}

/** The validator of one body, for those that come in a list. */
export function bodyValidator(schema: object): Validator {
  return knownOr(ofBodies, schema, () => compileBody(schema));
}

function knownOr(known: WeakMap<object, Validator>, schema: object, make: () => Validator): Validator {
  const validator = known.get(schema) ?? make();
  known.set(schema, validator);
  return validator;
}

/** What has variants is the way of every message: the most frequent one is ready before the first request. */
function compileBody(schema: object): Validator {
  return VARIANTS in schema ? compileSchema(strict, schema) : compiledWhenCalled(() => compileSchema(strict, schema));
}

function compiledWhenCalled(compile: () => Validator): Validator {
  const compiled = lazily(compile);
  const validate: Validator = (data) => {
    const thorough = compiled();
    const valid = thorough(data);
    validate.errors = thorough.errors ?? null;
    return valid;
  };
  return validate;
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
