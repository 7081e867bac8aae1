import type { JsonObject, JsonValue } from '#core/json';
import { openApiDocument } from '../../openapi.ts';

/** An operation as the OpenAPI document describes it: what a caller knows who has nothing but that. */
export interface Described {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  /** What a key needs; null: no key is needed. */
  readonly scope: string | null;
  readonly pathNames: readonly string[];
  readonly query: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly headerNames: readonly string[];
  /** Content types of the body; none: it takes no body. */
  readonly bodyTypes: readonly string[];
  /** Places of the body whose name says that they hold an id: `media.media_id`, `messages[].reply_to`. */
  readonly idPlaces: readonly string[];
}

/** Names that hold an id. */
const ID_NAME = /(^|_)ids?$|^reply_to$/;
const SCOPE = /Needs the scope ([a-z_]+:[a-z_]+)\.$/;

const document = openApiDocument();

/** Every operation of the document. */
export const described: readonly Described[] = Object.entries(document.paths as JsonObject).flatMap(([path, methods]) =>
  Object.entries(methods as JsonObject).map(([method, operation]) => describe(method, path, operation as JsonObject)),
);

/** Paths of the document with the methods that each serves. */
export const servedMethods: readonly (readonly [path: string, methods: readonly string[]])[] = Object.entries(
  document.paths as JsonObject,
).map(([path, methods]) => [path, Object.keys(methods as JsonObject).map((method) => method.toUpperCase())]);

function describe(method: string, path: string, operation: JsonObject): Described {
  const parameters = (operation.parameters ?? []) as unknown as readonly Parameter[];
  const content = ((operation.requestBody as JsonObject | undefined)?.content ?? {}) as JsonObject;
  const at = (place: string) => parameters.filter((parameter) => parameter.in === place);
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    scope: scopeOf(operation),
    pathNames: at('path').map(({ name }) => name),
    query: at('query').map(({ name, schema }) => ({ name, schema })),
    headerNames: at('header').map(({ name }) => name),
    bodyTypes: Object.keys(content),
    idPlaces: [...new Set(Object.values(content).flatMap((type) => idPlacesOf((type as JsonObject).schema)))],
  };
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: JsonObject;
}

/** @throws Error when an operation needs a key and its description names no scope */
function scopeOf(operation: JsonObject): string | null {
  if (Array.isArray(operation.security) && operation.security.length === 0) return null;
  const scope = SCOPE.exec(String(operation.description))?.[1];
  if (scope === undefined) throw new Error(`${operation.operationId} needs a key but names no scope.`);
  return scope;
}

function idPlacesOf(schema: JsonValue | undefined, place = '', above: readonly JsonObject[] = []): readonly string[] {
  const found = resolved(schema);
  if (found === null || above.includes(found)) return [];
  const inside = [...above, found];
  const branches = [found.oneOf, found.anyOf, found.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...branches.flatMap((branch) => idPlacesOf(branch, place, inside)),
    ...idPlacesOf(found.items, `${place}[]`, inside),
    ...Object.entries((found.properties ?? {}) as JsonObject).flatMap(([name, property]) => {
      const here = place === '' ? name : `${place}.${name}`;
      const isId = ID_NAME.test(name) || resolved(property)?.format === 'uuid';
      return [...(isId ? [here] : []), ...idPlacesOf(property, here, inside)];
    }),
  ];
}

/** The schema behind a reference; null for what is none. */
function resolved(schema: JsonValue | undefined): JsonObject | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return null;
  const { $ref } = schema as JsonObject;
  if (typeof $ref !== 'string') return schema as JsonObject;
  const steps = $ref.slice('#/'.length).split('/');
  return resolved(steps.reduce<JsonValue | undefined>((value, step) => (value as JsonObject)[step], document));
}
