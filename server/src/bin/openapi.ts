import type { TSchema } from 'typebox';
import type { JsonObject, JsonValue } from '#core/json';
import { documentAnswers, documentCommonErrors, headerComponents } from '#http/openapi-answers';
import { type Components, makeComponents, pascalCase } from '#http/openapi-components';
import { shareRepetitions } from '#http/openapi-repetitions';
import { type Operation, permissionFor } from '#http/operation';
import { agentHeader } from '#http/plugins/agent';
import { INTRODUCTION, KEY_HELP, SESSION_HELP, tags } from '#http/schemas/introduction';
import { PIECE_TYPE } from '#media/http/multipart';
import { eventUnion } from './event-catalogue.ts';
import { documentWebhooks } from './openapi-webhooks.ts';
import { operations } from './operations.ts';

/** The contract's version of the specification (its section 9), not that of the software. */
const SPECIFICATION_VERSION = '1.0.0';

/** The OpenAPI 3.1 description of the service, from the schemas that validate requests and serialise answers. */
export function openApiDocument(): JsonObject {
  const components = makeComponents({ Event: eventUnion() });
  const written = {
    openapi: '3.1.0',
    info: {
      title: 'Postrider',
      version: SPECIFICATION_VERSION,
      summary: 'Business messaging over a cloud messaging network.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: [...tags],
    security: [{ apiKey: [] }, { session: [] }],
    paths: documentPaths(components),
    webhooks: documentWebhooks(components),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: KEY_HELP },
        session: { type: 'apiKey', in: 'cookie', name: 'postrider', description: SESSION_HELP },
      },
      headers: headerComponents,
      responses: { CommonErrors: documentCommonErrors(components) },
      schemas: components.schemas(),
    },
  };
  // Through text: leaves out what is undefined, and every hidden mark of the schema library.
  const document = JSON.parse(JSON.stringify(written)) as JsonObject;
  shareRepetitions(document);
  return document;
}

let text: string | null = null;

/** The description as it is served: it says the same of every service of a process, and is made once. */
export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}

function documentPaths(components: Components): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: documentOperation(operation, components) };
  }
  return paths;
}

function documentOperation(operation: Operation, components: Components): Record<string, unknown> {
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: operation.scope
      ? `${operation.description} Needs the scope ${operation.scope}.`
      : operation.description,
    tags: [operation.tag],
    security: operation.session ? [{ session: [] }] : operation.scope === null ? [] : undefined,
    'x-agent-permission': permissionFor(operation) ?? undefined,
    parameters: documentParameters(operation, components),
    requestBody: documentBody(operation, components),
    responses: documentAnswers(operation, components),
  };
}

const tableSchema = { type: 'string', description: 'The file itself, at most 16 MiB.' };
const rawSchema = { type: 'string', contentMediaType: 'application/octet-stream' };

function documentBody(operation: Operation, { show }: Components): Record<string, unknown> | undefined {
  const { form, takesBytes, bodyExamples: examples } = operation;
  const name = `${pascalCase(operation.operationId)}Request`;
  const bytes = takesBytes ? { [PIECE_TYPE]: { schema: rawSchema, example: operation.bytesExample } } : {};
  const fields = { schema: show(form, name), example: operation.formExample };
  if (form) return { required: true, content: { 'multipart/form-data': fields, ...bytes } };
  if (takesBytes) return { required: true, content: bytes };
  if (!examples) return undefined;
  const schema = show(operation.documentedBody ?? operation.body, name);
  const tables = Object.entries(operation.tableExamples ?? {}).map(([type, example]) => [
    type,
    { schema: tableSchema, example },
  ]);
  const content = { 'application/json': { schema, examples }, ...Object.fromEntries(tables) };
  return { required: operation.bodyIsOptional !== true, content };
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Executes the request once, however often it is repeated within 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '3f0c7a52-order-42',
};
const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description: 'wait=N: waits up to N seconds (1 to 30) for the message to be sent or to fail before responding.',
  schema: { type: 'string' },
  example: 'wait=5',
};
function documentParameters(operation: Operation, components: Components): readonly unknown[] {
  const path = parametersOf(operation.params, 'path', components);
  const query = parametersOf(operation.documentedQuery ?? operation.query, 'query', components);
  const own = operation.requestHeaders ?? [];
  const actsForAgents = operation.scope !== null && own.every(({ name }) => name !== agentHeader.name);
  const headers = [...own, ...(actsForAgents ? [agentHeader] : [])].map((header) => ({
    ...header,
    in: 'header',
    schema: { type: 'string' },
  }));
  const once = operation.takesIdempotencyKey ? [idempotencyParameter] : [];
  const wait = operation.takesPreference ? [preferParameter] : [];
  return [...path, ...query, ...headers, ...once, ...wait];
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query', { show }: Components): readonly unknown[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, { examples, default: value, ...property }]) => {
    const [example] = (examples ?? []) as readonly JsonValue[];
    const { description } = property;
    const { description: _shown, ...shown } = show(property) as JsonObject;
    const schema = { ...shown, default: value };
    return { name, in: place, required: required.includes(name) || undefined, description, schema, example };
  });
}
