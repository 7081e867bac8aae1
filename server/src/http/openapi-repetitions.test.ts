import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/json';
import { ANSWER_NAME } from './openapi-answers.ts';
import { shareRepetitions } from './openapi-repetitions.ts';

const thing = { $ref: '#/components/schemas/Thing' };
const listOfThings: JsonObject = { properties: { data: { items: thing } } };

const missing = { description: '`not_found`: There is no such thing.' };

function operation(tag: string, limit: number): JsonObject {
  return {
    tags: [tag],
    operationId: 'make thing',
    requestBody: { content: { 'application/json': { schema: { maximum: limit } } } },
    parameters: [{ name: 'limit', in: 'query', schema: { maximum: limit } }],
    responses: {
      200: { [ANSWER_NAME]: 'TheThing', content: { 'application/json': { schema: thing, example: { id: limit } } } },
      404: { ...missing, [ANSWER_NAME]: 'NotFound' },
    },
  };
}

function shared(...operations: readonly JsonObject[]): { readonly components: JsonObject; readonly paths: JsonObject } {
  const paths = Object.fromEntries(operations.map((get, index) => [`/v1/things${index}`, { get }]));
  const document = structuredClone({
    paths,
    webhooks: {},
    components: { schemas: { Thing: {}, ThingList: listOfThings } },
  });
  shareRepetitions(document);
  return document;
}

test('what stands in the document twice becomes a component, with references in its places', () => {
  const { components, paths } = shared(operation('Things', 1), operation('Things', 1));
  expect(components).toMatchObject({
    responses: { NotFound: missing },
    requestBodies: { MakeThingBody: { content: { 'application/json': { schema: { maximum: 1 } } } } },
    parameters: { Limit: { name: 'limit', in: 'query', schema: { maximum: 1 } } },
  });
  expect(paths['/v1/things1']).toMatchObject({
    get: {
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      requestBody: { $ref: '#/components/requestBodies/MakeThingBody' },
      responses: { 404: { $ref: '#/components/responses/NotFound' } },
    },
  });
});

test('what stands in it once stays where it is', () => {
  const { components, paths } = shared(operation('Things', 1));
  expect(components).toMatchObject({ responses: {}, requestBodies: {}, parameters: {} });
  const { parameters, requestBody } = operation('Things', 1);
  expect(at(paths['/v1/things0'], 'get')).toMatchObject({ parameters, requestBody });
  expect(at(paths['/v1/things0'], 'get', 'responses', '404')).toEqual(missing);
});

test('a schema shows the first example of it, and neither answers with it nor lists of it show another', () => {
  const content = (schema: JsonObject, example: JsonObject) => ({
    content: { 'application/json': { schema, example } },
  });
  const list = { $ref: '#/components/schemas/ThingList' };
  const listing = { tags: ['Things'], parameters: [], responses: { 200: content(list, { data: [{ id: 3 }] }) } };
  const { components, paths } = shared(listing, operation('Things', 1), operation('Things', 2));
  expect(components.schemas).toEqual({ Thing: { examples: [{ id: 1 }] }, ThingList: listOfThings });
  const shown = Object.values(paths).map((path) => at(path, 'get', 'responses', '200'));
  const reference = { $ref: '#/components/responses/TheThing' };
  expect(shown).toEqual([{ content: { 'application/json': { schema: list } } }, reference, reference]);
  expect(components.responses).toMatchObject({ TheThing: { content: { 'application/json': { schema: thing } } } });
});

function at(value: JsonValue | undefined, ...steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((found, step) => (found as JsonObject)[step], value);
}

test('different values of one name are told apart by the group of their operations', () => {
  const { components } = shared(...['Things', 'Others'].flatMap((tag, n) => [operation(tag, n), operation(tag, n)]));
  expect(Object.keys(components.parameters as JsonObject)).toEqual(['Limit', 'LimitOthers']);
});
