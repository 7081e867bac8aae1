import type { JsonObject, JsonValue } from '#core/json';
import { ANSWER_NAME } from './openapi-answers.ts';
import { pascalCase } from './openapi-components.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
type Mutable = Record<string, JsonValue>;

/** A place of the document, and how the value there would be called as a component. */
interface Place {
  readonly holder: Mutable;
  readonly key: string;
  readonly name: string;
  /** What is added to the name when another value has it already. */
  readonly group: string;
}

interface Method {
  readonly path: string;
  readonly operation: Mutable;
}

/**
 * Puts every response, every body of a request and every parameter that stands in the document more than once into its
 * components, and references into their places. The example of a success goes to the schema that it is one of.
 * @param document is changed
 */
export function shareRepetitions(document: JsonObject): void {
  const methods = [document.paths, document.webhooks].flatMap((paths) => methodsOf(paths as JsonObject));
  const components = document.components as Mutable;
  moveExamples(methods.flatMap(mediaOfSuccesses), components.schemas as Mutable);
  components.responses = {
    ...(components.responses as JsonObject),
    ...share('responses', methods.flatMap(responsePlaces)),
  };
  components.requestBodies = share('requestBodies', methods.flatMap(bodyPlaces));
  components.parameters = share('parameters', methods.flatMap(parameterPlaces));
}

function methodsOf(paths: JsonObject): readonly Method[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as JsonObject)[method];
      return operation === undefined ? [] : [{ path, operation: operation as Mutable }];
    }),
  );
}

function share(kind: string, places: readonly Place[]): JsonObject {
  const byText = new Map<string, Place[]>();
  for (const place of places) {
    const text = JSON.stringify(place.holder[place.key]);
    byText.set(text, [...(byText.get(text) ?? []), place]);
  }
  const shared: Mutable = {};
  for (const same of byText.values()) {
    const [first] = same;
    if (first === undefined || same.length === 1) continue;
    const name = freeName(shared, first);
    shared[name] = first.holder[first.key] as JsonValue;
    for (const { holder, key } of same) holder[key] = { $ref: `#/components/${kind}/${name}` };
  }
  return shared;
}

function freeName(taken: JsonObject, { name, group }: Place): string {
  const longer = `${name}${pascalCase(group)}`;
  let free = name in taken ? longer : name;
  for (let number = 2; free in taken; number += 1) free = `${longer}${number}`;
  return free;
}

function groupOf({ tags = ['Webhook'] }: JsonObject): string {
  return String((tags as readonly string[])[0]);
}

function responsePlaces({ operation }: Method): readonly Place[] {
  const responses = operation.responses as Mutable;
  const written = Object.entries(responses).filter(([, answer]) => !('$ref' in (answer as JsonObject)));
  return written.map(([key, answer]) => {
    const { [ANSWER_NAME]: name, ...shown } = answer as JsonObject;
    responses[key] = shown;
    return { holder: responses, key, name: String(name), group: groupOf(operation) };
  });
}

function bodyPlaces({ operation }: Method): readonly Place[] {
  if (operation.requestBody === undefined) return [];
  const name = `${pascalCase(String(operation.operationId))}Body`;
  return [{ holder: operation, key: 'requestBody', name, group: groupOf(operation) }];
}

/** The contents of successful answers that show one example. */
function mediaOfSuccesses({ operation }: Method): readonly Mutable[] {
  const successes = Object.entries(operation.responses as JsonObject).filter(([status]) => Number(status) < 400);
  const contents = successes.flatMap(([, answer]) => Object.values((answer as JsonObject).content ?? {}));
  return contents.map((media) => media as Mutable).filter(({ example }) => typeof example === 'object');
}

/**
 * A schema shows the first example of it; answers with that schema then show none of their own, nor do lists of it:
 * readers of the document compose theirs from the schemas.
 */
function moveExamples(shown: readonly Mutable[], schemas: Mutable): void {
  for (const media of shown) {
    const schema = schemas[nameIn(media.schema)] as Mutable | undefined;
    if (schema === undefined || listed(schema) !== undefined || schema.oneOf !== undefined) continue;
    schema.examples ??= [media.example ?? null];
    delete media.example;
  }
  for (const media of shown) {
    const items = listed(schemas[nameIn(media.schema)]);
    if (isShown(schemas, items ?? media.schema)) delete media.example;
  }
}

/** Whether a schema has an example, or every schema that it is one of. */
function isShown(schemas: JsonObject, reference: JsonValue | undefined): boolean {
  const { examples, oneOf } = (schemas[nameIn(reference)] ?? {}) as JsonObject;
  return examples !== undefined || (Array.isArray(oneOf) && oneOf.every((branch) => isShown(schemas, branch)));
}

/** The schema of the items of a list. */
function listed(schema: JsonValue | undefined): JsonValue | undefined {
  const { data } = ((schema as JsonObject | undefined)?.properties ?? {}) as JsonObject;
  return (data as JsonObject | undefined)?.items;
}

function nameIn(schema: JsonValue | undefined): string {
  const reference = String((schema as JsonObject | undefined)?.$ref ?? '');
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** An `id` of the path is called after the resource that it names. */
function parameterPlaces({ path, operation }: Method): readonly Place[] {
  const parameters = operation.parameters as unknown as Mutable[];
  return parameters.map((parameter, index) => {
    const [, resources = ''] = /([^/]+)\/\{id\}/.exec(path) ?? [];
    const resource = resources.replace(/ies$/, 'y').replace(/s$/, '');
    const isId = parameter.name === 'id' && parameter.in === 'path';
    const name = pascalCase(isId ? `${resource} id` : String(parameter.name));
    return { holder: parameters as unknown as Mutable, key: String(index), name, group: groupOf(operation) };
  });
}
