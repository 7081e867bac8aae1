import { Ajv, type ValidateFunction } from 'ajv';
import type { JsonObject, JsonValue } from '#core/json';
import { openApiDocument } from '../openapi.ts';

/** An operation as a reader of the OpenAPI document knows it: nothing here comes from the code of the routes. */
export interface Described {
  readonly operationId: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly DescribedParameter[];
  readonly bodies: readonly DescribedBody[];
  readonly successes: readonly DescribedSuccess[];
  readonly failures: readonly DescribedFailure[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example: JsonValue;
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

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the document, in its order. */
export function describedOperations(): readonly Described[] {
  const document = openApiDocument();
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  return Object.entries(document.paths as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => describe({ document, ajv, path, method, operation: operation as JsonObject })),
  );
}

interface Place {
  readonly document: JsonObject;
  readonly ajv: Ajv;
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

function describe(place: Place): Described {
  const { operation, path, method } = place;
  const answers = Object.entries(operation.responses as JsonObject);
  return {
    operationId: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    needsKey: operation.security === undefined,
    parameters: operation.parameters as unknown as readonly DescribedParameter[],
    bodies: bodiesOf(operation),
    successes: answers.filter(([status]) => Number(status) < 400).flatMap(([status]) => successOf(place, status)),
    failures: answers
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, answer]) => failuresOf(place.document, Number(status), answer as JsonObject)),
  };
}

/** The examples of a media type: several by name, or one. */
function examplesOf(media: JsonObject): readonly (readonly [string, JsonValue])[] {
  if (media.examples === undefined) return media.example === undefined ? [] : [['example', media.example]];
  return Object.entries(media.examples as JsonObject).map(([name, example]) => {
    return [name, (example as { readonly value: JsonValue }).value] as const;
  });
}

function bodiesOf(operation: JsonObject): readonly DescribedBody[] {
  const content = ((operation.requestBody as JsonObject | undefined)?.content ?? {}) as JsonObject;
  return Object.entries(content).flatMap(([contentType, media]) =>
    examplesOf(media as JsonObject).map(([name, value]) => ({ name, contentType, value })),
  );
}

function successOf({ ajv, path, method, operation }: Place, status: string): readonly DescribedSuccess[] {
  const answer = (operation.responses as JsonObject)[status] as JsonObject;
  return Object.keys(answer.content as JsonObject).map((contentType) => {
    const steps = ['paths', path, method, 'responses', status, 'content', contentType, 'schema'];
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    return {
      status: Number(status),
      contentType,
      validate: ajv.compile({ $ref: `openapi#/${pointer.join('/')}` }),
    };
  });
}

function failuresOf(document: JsonObject, status: number, answer: JsonObject): readonly DescribedFailure[] {
  const [, name] = /^#\/components\/responses\/(\w+)$/.exec(String(answer.$ref)) ?? [];
  const { responses } = document.components as { readonly responses: JsonObject };
  const { content } = (name === undefined ? answer : responses[name]) as { readonly content: JsonObject };
  return examplesOf(content['application/json'] as JsonObject).map(([example, body]) => {
    return { status, name: example, body: body as JsonObject };
  });
}
