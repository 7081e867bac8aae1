import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A JSON Schema, or any other object of the document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** What an answer with one status must look like. */
export interface Expected {
  /** Types that may come; none: no body. */
  readonly contentTypes: readonly string[];
  /** Names of headers that are described. */
  readonly headers: readonly string[];
  /** Of the JSON body; null when it is none. */
  readonly validate: ValidateFunction | null;
  /** Codes of the errors that its description names. */
  readonly codes: ReadonlySet<unknown>;
}

/** An operation as the document describes it: all that the fuzzer knows. */
export interface FuzzOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Methods that the path serves. */
  readonly served: readonly string[];
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly bodySchema: Schema | null;
  readonly bodyType: 'json' | 'form' | 'bytes' | null;
  readonly bodyRequired: boolean;
  readonly examples: readonly unknown[];
  readonly validateBody: ValidateFunction | null;
  /** Of the query as texts by name; unknown names are faults. */
  readonly validateQuery: ValidateFunction;
  /** By status; `default` has the errors that are described once for all operations. */
  readonly answers: ReadonlyMap<number | 'default', Expected>;
}

/** The document with what is needed to make requests from it. */
export interface Api {
  readonly operations: readonly FuzzOperation[];
  /** The schema behind references. */
  resolve(schema: Schema): Schema;
}

/** Operations for a person who has signed in: a key is refused, and a link signs in once. The tests of sessions ask them. */
function isForPeople({ tags }: Schema): boolean {
  return Array.isArray(tags) && tags.includes('People');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Generous on purpose: a duration that fails this is far too long. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;
/** An error in the description of an answer: `not_found`: The resource does not exist. */
const CODE = /`([a-z_]+)`: /g;
const ROOT = 'api';

/** Reads the OpenAPI document and compiles its schemas. @throws Error for a schema that Ajv does not understand */
export function describeApi(document: Schema): Api {
  const formats = { uuid: UUID, 'date-time': TIME };
  const strict = new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, ROOT);
  // Otherwise Infinity, which it makes of 1e400, is beyond no maximum.
  const coercing = new Ajv2020({ strict: false, coerceTypes: true, strictNumbers: false, formats });
  const resolve = (schema: Schema): Schema => {
    const { $ref } = schema;
    return typeof $ref === 'string' ? resolve(at(document, $ref.slice('#/'.length).split('/'))) : schema;
  };
  const compile = (schema: Schema): ValidateFunction => strict.compile(withRoot(schema) as Schema);
  const operations = Object.entries(document.paths as Schema).flatMap(([path, methods]) =>
    Object.entries(methods as Schema).flatMap(([method, operation]) => {
      if (isForPeople(operation as Schema)) return [];
      const served = Object.keys(methods as Schema).map((name) => name.toUpperCase());
      const place = { method: method.toUpperCase(), path, served };
      return [describe(operation as Schema, place, { compile, resolve, coercing })];
    }),
  );
  return { operations, resolve };
}

/** What an answer must look like; null: nothing of the kind is described. Under `default` only the codes count that it shows. */
export function expectedOf(
  { answers }: FuzzOperation,
  { status, json }: { readonly status: number; readonly json: unknown },
): Expected | null {
  const own = answers.get(status);
  if (own !== undefined) return own;
  const common = answers.get('default');
  const { code } = (json ?? {}) as { readonly code?: unknown };
  return status >= 400 && common?.codes.has(code) ? common : null;
}

/** A stream has no complete answer to check: it does not end. */
export function isEndless({ answers }: FuzzOperation): boolean {
  return answers.get(200)?.contentTypes.includes('text/event-stream') === true;
}

interface Tools {
  readonly compile: (schema: Schema) => ValidateFunction;
  readonly resolve: (schema: Schema) => Schema;
  readonly coercing: Ajv2020;
}

function describe(
  operation: Schema,
  place: Pick<FuzzOperation, 'method' | 'path' | 'served'>,
  { compile, resolve, coercing }: Tools,
): FuzzOperation {
  const parameters = ((operation.parameters ?? []) as readonly Schema[])
    .map((parameter) => resolve(parameter) as unknown as Parameter)
    .map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) }));
  const { bodyType, content, required } = bodyOf(resolve((operation.requestBody ?? {}) as Schema));
  const schema = (content?.schema as Schema | undefined) ?? null;
  const examples = Object.values((content?.examples ?? {}) as Record<string, Schema>).map(resolve);
  return {
    ...place,
    id: String(operation.operationId),
    needsKey: !(Array.isArray(operation.security) && operation.security.length === 0),
    parameters,
    bodyType,
    bodySchema: schema,
    bodyRequired: required,
    examples: examples.map(({ value }) => value),
    validateBody: schema !== null && bodyType === 'json' ? compile(schema) : null,
    validateQuery: coercing.compile(querySchema(parameters)),
    answers: new Map(
      Object.entries(operation.responses as Schema).map(([status, answer]) => [
        status === 'default' ? status : Number(status),
        readAnswer(resolve(answer as Schema), compile),
      ]),
    ),
  };
}

function bodyOf(body: Schema): {
  readonly bodyType: FuzzOperation['bodyType'];
  readonly content: Schema | undefined;
  readonly required: boolean;
} {
  const content = (body.content ?? {}) as Readonly<Record<string, Schema>>;
  const required = body.required === true;
  if (content['application/json']) return { bodyType: 'json', content: content['application/json'], required };
  if (content['multipart/form-data']) return { bodyType: 'form', content: content['multipart/form-data'], required };
  const [bytes] = Object.values(content);
  return { bodyType: bytes ? 'bytes' : null, content: bytes, required };
}

function querySchema(parameters: readonly Parameter[]): Schema {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

function readAnswer(answer: Schema, compile: Tools['compile']): Expected {
  const content = (answer.content ?? {}) as Readonly<Record<string, Schema>>;
  const json = content['application/json']?.schema as Schema | undefined;
  return {
    contentTypes: Object.keys(content),
    headers: Object.keys((answer.headers ?? {}) as Schema).map((name) => name.toLowerCase()),
    validate: json === undefined ? null : compile(json),
    codes: new Set([...String(answer.description).matchAll(CODE)].map(([, code]) => code)),
  };
}

function at(document: Schema, steps: readonly string[]): Schema {
  return steps.reduce<Schema>((value, step) => value[step] as Schema, document);
}

/** References of a part lead into the whole document. */
function withRoot(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRoot);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? `${ROOT}${item}` : withRoot(item),
    ]),
  );
}
