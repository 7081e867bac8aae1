import type { JsonObject, JsonValue } from '#core/json';
import { pascalCase } from './openapi-components.ts';

const METHODS = ['get', 'post', 'patch', 'delete'];
/** Failures that nearly every operation has, and that therefore do not tell one answer from another. */
const COMMON = ['unknownParameter', 'unauthorized', 'tenantSuspended', 'addressNotAllowed', 'storageUnavailable'];
/** As many failures as a name of an answer names. */
const MAX_NAMED = 3;

type Mutable = Record<string, JsonValue>;

/** A place of the document, and how the value there would be called as a component. */
interface Place {
  readonly holder: Mutable;
  readonly key: string;
  readonly name: string;
}

interface Method {
  readonly path: string;
  readonly operation: Mutable;
}

/**
 * Puts every example of a failure, every response and every parameter that stands in the document more than once into
 * its components, and references into their places.
 * @param document is changed
 */
export function shareRepetitions(document: JsonObject): void {
  const methods = [document.paths, document.webhooks].flatMap((paths) => methodsOf(paths as JsonObject));
  const components = document.components as Mutable;
  // Examples first: answers that differ in nothing else are then the same text.
  components.examples = share('examples', methods.flatMap(examplePlaces));
  components.responses = share('responses', methods.flatMap(responsePlaces));
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
    const name = freeName(shared, first.name);
    shared[name] = first.holder[first.key] as JsonValue;
    for (const { holder, key } of same) holder[key] = { $ref: `#/components/${kind}/${name}` };
  }
  return shared;
}

function freeName(taken: JsonObject, name: string): string {
  let free = name;
  for (let number = 2; free in taken; number += 1) free = `${name}${number}`;
  return free;
}

function responsePlaces({ operation }: Method): readonly Place[] {
  const responses = operation.responses as Mutable;
  return Object.keys(responses)
    .filter((status) => Number(status) >= 400 || status === '2XX')
    .map((status) => ({ holder: responses, key: status, name: responseName(status, examplesOf(responses, status)) }));
}

function examplePlaces({ operation }: Method): readonly Place[] {
  const responses = operation.responses as Mutable;
  const failures = Object.keys(responses).filter((status) => Number(status) >= 400);
  return failures.flatMap((status) => {
    const examples = examplesOf(responses, status);
    return Object.keys(examples).map((key) => ({ holder: examples, key, name: key }));
  });
}

/** The examples of the only content that a failure has. */
function examplesOf(responses: JsonObject, status: string): Mutable {
  const { content = {} } = responses[status] as { readonly content?: JsonObject };
  return ((content['application/json'] as JsonObject | undefined)?.examples ?? {}) as Mutable;
}

/** `RateLimited`, `LacksContactsWrite`: what can go wrong. */
function responseName(status: string, examples: JsonObject): string {
  const names = Object.keys(examples);
  const own = names.filter((name) => !COMMON.includes(name));
  const shown = own.length > 0 ? own : names;
  return pascalCase(shown.length > 0 ? shown.slice(0, MAX_NAMED).join(' ') : `status ${status}`);
}

/** An `id` of the path is called after the resource that it names. */
function parameterPlaces({ path, operation }: Method): readonly Place[] {
  const parameters = operation.parameters as unknown as Mutable[];
  return parameters.map((parameter, index) => {
    const [, resources = ''] = /([^/]+)\/\{id\}/.exec(path) ?? [];
    const resource = resources.replace(/ies$/, 'y').replace(/s$/, '');
    const isId = parameter.name === 'id' && parameter.in === 'path';
    const name = pascalCase(isId ? `${resource} id` : String(parameter.name));
    return { holder: parameters as unknown as Mutable, key: String(index), name };
  });
}
