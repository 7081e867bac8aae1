import { Ajv, type ValidateFunction } from 'ajv';
import { openApiDocument } from '#bin/openapi';
import { operations } from '#bin/operations';
import { apiErrors } from '#core/errors';
import type { JsonObject, JsonValue } from '#core/json';
import { EXAMPLE_SCOPE, failuresOf } from '#http/openapi-answers';

/** An operation as a reader of the OpenAPI document knows it; only bodies of failures, which it tells of in words, come from the code of the routes. */
export interface Described {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  /** What a key needs; null: no key is needed. */
  readonly scope: string | null;
  readonly parameters: readonly DescribedParameter[];
  readonly pathNames: readonly string[];
  readonly query: readonly DescribedParameter[];
  readonly headerNames: readonly string[];
  /** The examples of the body; none: it takes no body. */
  readonly bodies: readonly DescribedBody[];
  /** Places of the body whose name says that they hold an id: `media.media_id`, `messages[].reply_to`. */
  readonly idPlaces: readonly string[];
  /** Compiles their schemas: only who checks answers pays for that. */
  readonly successes: () => readonly DescribedSuccess[];
  readonly failures: readonly DescribedFailure[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example: JsonValue;
  readonly schema: JsonObject;
}

export interface DescribedBody {
  readonly name: string;
  readonly contentType: string;
  readonly value: JsonValue;
}

export interface DescribedSuccess {
  readonly status: number;
  readonly contentType: string;
  readonly validate: ValidateFunction;
}

export interface DescribedFailure {
  readonly status: number;
  readonly name: string;
  readonly body: JsonObject;
}

/** Names that hold an id. */
const ID_NAME = /(^|_)ids?$|^reply_to$/;
const SCOPE = /Needs the scope ([a-z_]+:[a-z_]+)\.$/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const document = openApiDocument();
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(document, 'openapi');

/** Paths of the document with the operations of each, by method. */
const paths = Object.entries(document.paths as JsonObject).map(([path, methods]) => {
  const operations = Object.entries(methods as JsonObject).filter(([method]) => METHODS.includes(method));
  return {
    path,
    operations: operations.map(([method, operation]) => ({ method, operation: operation as JsonObject })),
  };
});

/** Every operation of the document that a program can ask for, in its order. */
export const described: readonly Described[] = describeAll((operation) => !isForPeople(operation));

/** Those that are for people alone, who sign in: no key is enough. */
export const describedForPeople: readonly Described[] = describeAll(isForPeople);

function describeAll(belongs: (operation: JsonObject) => boolean): readonly Described[] {
  return paths.flatMap(({ path, operations }) =>
    operations.filter(({ operation }) => belongs(operation)).map((operation) => describe({ path, ...operation })),
  );
}

function isForPeople({ tags }: JsonObject): boolean {
  return JSON.stringify(tags) === '["People"]';
}

/** Paths of the document with the methods that each serves. */
export const servedMethods: readonly (readonly [path: string, methods: readonly string[]])[] = paths.map(
  ({ path, operations }) => [path, operations.map(({ method }) => method.toUpperCase())],
);

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

function describe(place: Place): Described {
  const { operation, path, method } = place;
  const answers = Object.entries(operation.responses as JsonObject);
  const parameters = ((operation.parameters ?? []) as readonly JsonValue[]).map(describedParameter);
  const namesIn = (part: string) => parameters.filter((parameter) => parameter.in === part).map(({ name }) => name);
  const contents = Object.values(contentOf(operation)) as readonly JsonObject[];
  const scope = scopeOf(operation);
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    scope,
    parameters,
    pathNames: namesIn('path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    headerNames: namesIn('header'),
    bodies: bodiesOf(operation),
    idPlaces: [...new Set(contents.flatMap(({ schema }) => idPlacesOf(schema)))],
    successes: () => answers.filter(([status]) => Number(status) < 400).flatMap(([status]) => successOf(place, status)),
    failures: failuresIn(String(operation.operationId), scope),
  };
}

function describedParameter(parameter: JsonValue): DescribedParameter {
  const found = resolved(parameter) as unknown as DescribedParameter;
  return { ...found, schema: resolved(found.schema) ?? {} };
}

/** @throws Error when an operation needs a key and its description names no scope */
function scopeOf(operation: JsonObject): string | null {
  if (isForPeople(operation) || (Array.isArray(operation.security) && operation.security.length === 0)) return null;
  const scope = SCOPE.exec(String(operation.description))?.[1];
  if (scope === undefined) throw new Error(`${operation.operationId} needs a key but names no scope.`);
  return scope;
}

/** The examples of a media type: several by name, or one. */
function examplesOf(media: JsonObject): readonly (readonly [string, JsonValue])[] {
  if (media.examples === undefined) return media.example === undefined ? [] : [['example', media.example]];
  return Object.entries(media.examples as JsonObject).map(([name, example]) => {
    return [name, resolved(example)?.value ?? null] as const;
  });
}

/** The body by its content types. */
function contentOf(operation: JsonObject): JsonObject {
  return (resolved(operation.requestBody)?.content ?? {}) as JsonObject;
}

function bodiesOf(operation: JsonObject): readonly DescribedBody[] {
  return Object.entries(contentOf(operation)).flatMap(([contentType, media]) =>
    examplesOf(media as JsonObject).map(([name, value]) => ({ name, contentType, value })),
  );
}

function successOf({ path, method, operation }: Place, status: string): readonly DescribedSuccess[] {
  const answer = (operation.responses as JsonObject)[status] as JsonObject;
  const place = answer.$ref === undefined ? ['paths', path, method, 'responses', status] : stepsOf(String(answer.$ref));
  return Object.keys(resolved(answer)?.content ?? {}).map((contentType) => {
    const steps = [...place, 'content', contentType, 'schema'];
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    return {
      status: Number(status),
      contentType,
      validate: ajv.compile({ $ref: `openapi#/${pointer.join('/')}` }),
    };
  });
}

/** The failures that the document tells of in words, each as it is answered to a request that brings it about. */
function failuresIn(id: string, scope: string | null): readonly DescribedFailure[] {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`The document has ${id}, which is no operation.`);
  return failuresOf(operation).map(({ name, code, body }) => {
    const { error } = body as { readonly error: string };
    const meant = name === 'forbidden' ? error.replace(EXAMPLE_SCOPE, String(scope)) : error;
    return { status: apiErrors[code].status, name, body: { ...(body as JsonObject), error: meant } };
  });
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

/** What stands behind a reference; null for what is none. */
function resolved(schema: JsonValue | undefined): JsonObject | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return null;
  const { $ref } = schema as JsonObject;
  if (typeof $ref !== 'string') return schema as JsonObject;
  return resolved(stepsOf($ref).reduce<JsonValue | undefined>((value, step) => (value as JsonObject)[step], document));
}

function stepsOf(reference: string): readonly string[] {
  return reference.slice('#/'.length).split('/');
}
