import { expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { shareRepetitions } from './openapi-repetitions.ts';

const thing = { $ref: '#/components/schemas/Thing' };

function operation(tag: string, limit: number): JsonObject {
  const failure = { examples: { notFound: { value: { code: 'not_found' } } } };
  return {
    tags: [tag],
    parameters: [{ name: 'limit', in: 'query', schema: { maximum: limit } }],
    responses: {
      200: { content: { 'application/json': { schema: thing, example: { id: limit } } } },
      404: { content: { 'application/json': failure } },
    },
  };
}

function shared(...operations: readonly JsonObject[]): { readonly components: JsonObject; readonly paths: JsonObject } {
  const paths = Object.fromEntries(operations.map((get, index) => [`/v1/things${index}`, { get }]));
  const document = structuredClone({ paths, webhooks: {}, components: {} });
  shareRepetitions(document);
  return document;
}

test('what stands in the document twice becomes a component, with references in its places', () => {
  const { components, paths } = shared(operation('Things', 1), operation('Things', 1));
  expect(components).toEqual({
    examples: { notFound: { value: { code: 'not_found' } }, Thing: { value: { id: 1 } } },
    responses: { NotFound: expect.anything() },
    parameters: { Limit: { name: 'limit', in: 'query', schema: { maximum: 1 } } },
  });
  expect(paths['/v1/things1']).toEqual({
    get: {
      tags: ['Things'],
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      responses: {
        200: {
          content: {
            'application/json': { schema: thing, examples: { example: { $ref: '#/components/examples/Thing' } } },
          },
        },
        404: { $ref: '#/components/responses/NotFound' },
      },
    },
  });
});

test('what stands in it once stays where it is', () => {
  const { components, paths } = shared(operation('Things', 1));
  expect(components).toEqual({ examples: {}, responses: {}, parameters: {} });
  expect(paths['/v1/things0']).toEqual({ get: operation('Things', 1) });
});

test('different values of one name are told apart by the group of their operations', () => {
  const { components } = shared(...['Things', 'Others'].flatMap((tag, n) => [operation(tag, n), operation(tag, n)]));
  expect(Object.keys(components.parameters as JsonObject)).toEqual(['Limit', 'LimitOthers']);
});
