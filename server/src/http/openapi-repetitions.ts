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
  /** What is added to the name when another value has it already. */
  readonly group: string;
}

interface Method {
  readonly path: string;
  readonly operation: Mutable;
}

/**
 * Puts every example of an answer, every response and every parameter that stands in the document more than once into
 * its components, and references into their places.
 * @param document is changed
 */
export function shareRepetitions(document: JsonObject): void {
  const methods = [document.paths, document.webhooks].flatMap((paths) => methodsOf(paths as JsonObject));
  const components = document.components as Mutable;
  // Examples first: answers that differ in nothing else are then the same text.
  const shown = methods.flatMap(mediaOfSuccesses);
  components.examples = share('examples', [...methods.flatMap(examplePlaces), ...shown.map(wrappedExample)]);
  for (const media of shown) unwrapExample(media);
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

function groupOf({ tags }: JsonObject): string {
  return String((tags as readonly string[])[0]);
}

function responsePlaces({ operation }: Method): readonly Place[] {
  const responses = operation.responses as Mutable;
  return Object.keys(responses)
    .filter((status) => Number(status) >= 400 || status === '2XX')
    .map((key) => ({
      holder: responses,
      key,
      name: responseName(key, examplesOf(responses, key)),
      group: groupOf(operation),
    }));
}

function examplePlaces({ operation }: Method): readonly Place[] {
  const responses = operation.responses as Mutable;
  const failures = Object.keys(responses).filter((status) => Number(status) >= 400);
  return failures.flatMap((status) => {
    const examples = examplesOf(responses, status);
    return Object.keys(examples).map((key) => ({ holder: examples, key, name: key, group: groupOf(operation) }));
  });
}

/** The contents of successful answers that show one example. */
function mediaOfSuccesses({ operation }: Method): readonly Mutable[] {
  const successes = Object.entries(operation.responses as JsonObject).filter(([status]) => Number(status) < 400);
  const contents = successes.flatMap(([, answer]) => Object.values((answer as JsonObject).content ?? {}));
  return contents.map((media) => media as Mutable).filter(({ example }) => typeof example === 'object');
}

/** Only an example with a name can be a reference. */
function wrappedExample(media: Mutable): Place {
  const { example } = media;
  const examples: Mutable = { example: { value: example ?? null } };
  delete media.example;
  media.examples = examples;
  const reference = String((media.schema as JsonObject).$ref ?? 'Answer');
  return { holder: examples, key: 'example', name: reference.slice(reference.lastIndexOf('/') + 1), group: 'Example' };
}

/** What stands in the document once stays as it was. */
function unwrapExample(media: Mutable): void {
  const { example } = media.examples as { readonly example: JsonObject };
  if (example.$ref !== undefined) return;
  delete media.examples;
  media.example = example.value as JsonValue;
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
    return { holder: parameters as unknown as Mutable, key: String(index), name, group: groupOf(operation) };
  });
}
