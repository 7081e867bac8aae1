import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { type ApiErrorCode, apiErrors } from '#core/errors';
import type { JsonObject, JsonValue } from '#core/json';
import { failuresOf } from '#http/openapi-answers';
import { fakeApi } from '#http/testing/fake-api';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

const document = openApiDocument();
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(JSON.parse(JSON.stringify(document)), 'openapi');

function at(...steps: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of steps) value = (value as JsonObject | undefined)?.[step];
  return value;
}

/** Validates against the schema at this place of the document, with its references. */
function validatorAt(...steps: readonly (string | number)[]): ValidateFunction {
  const pointer = steps
    .map((step) => encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.compile({ $ref: `openapi#/${pointer}` });
}

/** What several operations have alike stands in the document once. */
function resolved<T extends JsonValue>(value: T): T {
  const { $ref: reference } = value as JsonObject;
  return typeof reference === 'string' ? (at(...reference.replace('#/', '').split('/')) as T) : value;
}

/** The places of its parameters: in the operation itself, or among the components. */
function parameterPlaces(place: readonly string[]): readonly (readonly (string | number)[])[] {
  return (at(...place, 'parameters') as readonly JsonObject[]).map((_, index) =>
    placeOf(...place, 'parameters', index),
  );
}

function parametersAt(place: readonly string[]): readonly JsonObject[] {
  return parameterPlaces(place).map((steps) => at(...steps) as JsonObject);
}

/** The codes that the description of a failure names, each with its sentence. */
function failuresAt(answer: JsonValue | undefined): readonly (readonly [code: string, sentence: string])[] {
  const { description } = resolved(answer as JsonObject) as { description: string };
  return [...description.matchAll(/^(?:- )?`([a-z_]+)`: (.+)$/gm)].map(([, code = '', sentence = '']) => [
    code,
    sentence,
  ]);
}

/** Where a part of the document stands: there, or where the reference there leads. */
function placeOf(...steps: readonly (string | number)[]): readonly (string | number)[] {
  const { $ref: reference } = (at(...steps) ?? {}) as JsonObject;
  return typeof reference === 'string' ? reference.replace('#/', '').split('/') : steps;
}

const described = operations.map((operation) => {
  const path = operation.path.replace(/:(\w+)/g, '{$1}');
  return { operation, place: ['paths', path, operation.method.toLowerCase()] as const };
});

describe('the OpenAPI document', () => {
  test('is the one that is committed', () => {
    const committed = readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8');
    expect(committed).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  test('lists exactly the routes that the server has', async () => {
    const routes: string[] = [];
    const { app } = fakeApi();
    await app.ready();
    for (const path of Object.keys(at('paths') as JsonObject)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const url = path.replace('{id}', 'x').replace('{platform}', 'platform');
        const answer = await app.inject({ method, url });
        if (answer.statusCode !== 405 && answer.statusCode !== 404) routes.push(`${method} ${path}`);
      }
    }
    expect(routes.toSorted()).toEqual(
      operations.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
    );
  });

  test('has at most 3.05 kB for each operation as it is served, and 0.54 kB compressed', () => {
    const served = Buffer.from(JSON.stringify(document));
    expect(served.byteLength / operations.length).toBeLessThanOrEqual(3_050);
    expect(gzipSync(served).byteLength / operations.length).toBeLessThanOrEqual(540);
  });

  test('gives every operation an id of its own', () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });
});

test.each(
  described.filter(({ operation }) => /^delete/.test(operation.operationId) && operation.answer.status === 200),
)('$operation.operationId answers what every deletion answers', ({ operation }) => {
  const { status, id, media_id } = operation.answer.example as JsonObject;
  expect({ status, named: typeof (id ?? media_id) }).toEqual({ status: 'deleted', named: 'string' });
});

describe('the OpenAPI document of', () => {
  test.each(described)('$operation.operationId says what it is for, in sentences', ({ operation }) => {
    expect(operation.summary).toMatch(/^[A-Z].{7,60}[^.]$/);
    expect(operation.description).toMatch(/^[A-Z].{40,}\.$/);
    expect((at('tags') as readonly JsonObject[]).map(({ name }) => name)).toContain(operation.tag);
  });

  test.each(described)('$operation.operationId describes every parameter and answer', ({ operation, place }) => {
    const answers = at(...place, 'responses') as JsonObject;
    const named = operation.params ? ['404'] : [];
    expect(Object.keys(answers)).toEqual(expect.arrayContaining([String(operation.answer.status), ...named]));
    const keyed = ['unauthorized', 'forbidden', 'tenant_suspended', 'rate_limited', 'storage_unavailable'];
    const posted = operation.method === 'POST' ? ['payload_too_large', 'unsupported_media_type'] : [];
    const once = operation.takesIdempotencyKey ? ['request_in_progress', 'idempotency_key_reused'] : [];
    expect(failuresAt(answers.default).map(([code]) => code)).toEqual(
      expect.arrayContaining([
        'method_not_allowed',
        'internal_error',
        ...(operation.scope === null ? [] : keyed),
        ...posted,
        ...once,
      ]),
    );
    for (const parameter of parametersAt(place)) expect(parameter.description).toBeTruthy();
  });

  test.each(described)('$operation.operationId limits every number of its query', ({ place }) => {
    // A text such as 1e400 becomes Infinity, and only a maximum refuses that.
    for (const { schema } of parametersAt(place) as unknown as readonly { schema: JsonObject }[]) {
      if (schema.type === 'integer' || schema.type === 'number') expect(schema).toHaveProperty('maximum');
    }
  });

  test.each(described)('$operation.operationId shows answers that fit their own schemas', ({ operation, place }) => {
    for (const answer of [operation.answer, ...(operation.otherAnswers ?? [])]) {
      const type = answer.contentType ?? 'application/json';
      const validate = validatorAt(...placeOf(...place, 'responses', answer.status), 'content', type, 'schema');
      const shown = Object.entries(answer.examples ?? {}).map(([name, { value }]) => ({ name, value }));
      for (const { name, value } of [{ name: 'example', value: answer.example }, ...shown]) {
        validate(value);
        expect([name, validate.errors]).toEqual([name, null]);
      }
    }
  });

  test.each(
    described.filter(({ operation }) => operation.bodyExamples),
  )('$operation.operationId shows bodies that fit their own schema', ({ operation, place }) => {
    const validate = validatorAt(...placeOf(...place, 'requestBody'), 'content', 'application/json', 'schema');
    for (const [name, { value }] of Object.entries(operation.bodyExamples ?? {})) {
      validate(value);
      expect([name, validate.errors]).toEqual([name, null]);
    }
  });

  test.each(described)('$operation.operationId shows parameters and forms that fit their own schema', ({ place }) => {
    for (const steps of parameterPlaces(place)) {
      const { name, example } = at(...steps) as JsonObject;
      const validate = validatorAt(...steps, 'schema');
      validate(example);
      expect([name, validate.errors]).toEqual([name, null]);
    }
    const form = at(...place, 'requestBody', 'content', 'multipart/form-data');
    if (form === undefined) return;
    const validate = validatorAt(...place, 'requestBody', 'content', 'multipart/form-data', 'schema');
    validate((form as JsonObject).example);
    expect(validate.errors).toBeNull();
  });

  test.each(
    described,
  )('$operation.operationId tells of each failure below its status, in the words that it is answered with', ({
    operation,
    place,
  }) => {
    const answers = at(...place, 'responses') as JsonObject;
    const common = new Map(failuresAt(answers.default));
    const told = failuresOf(operation).map(({ code, body }) => [code, (body as JsonObject).error]);
    const failing = Object.entries(answers).filter(([status]) => /^[45]/.test(status));
    const own = failing.flatMap(([status, answer]) =>
      failuresAt(answer).map(([code, sentence]) => [status, code, sentence]),
    );
    for (const [status, code] of own)
      expect([code, apiErrors[code as ApiErrorCode].status]).toEqual([code, Number(status)]);
    const words = own.map(([, ...failure]) => failure);
    expect(told).toEqual(expect.arrayContaining(words));
    const elsewhere = told.filter((failure) => !words.some((shown) => isDeepStrictEqual(shown, failure)));
    expect(elsewhere.filter(([code]) => !common.has(String(code)))).toEqual([]);
  });

  test('carries none of our own annotations, and describes every field', () => {
    expect(JSON.stringify(document)).not.toContain('x-pattern');
    const schemas = at('components', 'schemas') as JsonObject;
    for (const [name, schema] of Object.entries(schemas)) {
      expect([name, (schema as JsonObject).description]).toEqual([name, expect.stringMatching(/\.$/)]);
    }
  });
});
