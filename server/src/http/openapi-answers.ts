import type { TSchema } from 'typebox';
import type { Scope } from '#core/caller/scopes';
import { type ApiErrorCode, ApiProblem, apiErrors } from '#core/errors';
import type { JsonValue } from '#core/json';
import { ErrorBody } from '#http/schemas/errors';
import { type Components, pascalCase } from './openapi-components.ts';
import type { Answer, ErrorExample, Operation } from './operation.ts';

const requestIdHeader = { $ref: '#/components/headers/X-Request-Id' };

/** Headers that answers carry, described once. */
export const headerComponents = {
  'X-Request-Id': { description: 'Names the request in our logs.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limits that the request counts against: q requests in w seconds.',
    schema: { type: 'string' },
    example: '"key";q=50;w=1',
  },
  RateLimit: {
    description: 'What remains (r) of each limit, and in how many seconds it is whole again (t).',
    schema: { type: 'string' },
    example: '"key";r=0;t=1',
  },
  'X-RateLimit-Limit': {
    description: 'Requests per second of the limit with least left.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'What remains of it.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until it is whole again.', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: 'true when this is the answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: { description: 'Address of the next page, with rel="next".', schema: { type: 'string' } },
  ETag: {
    description: 'Names the version of the resource, or its content: of media the sha256, in quotes.',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'Names the file; never to be shown in place.', schema: { type: 'string' } },
  'Accept-Ranges': { description: 'Parts can be asked for in bytes.', schema: { type: 'string', enum: ['bytes'] } },
  Location: { description: 'Address of what was made.', schema: { type: 'string' } },
  'Content-Range': { description: 'Which part of how many bytes this is.', schema: { type: 'string' } },
  'Upload-Offset': { description: 'Bytes that are here (tus).', schema: { type: 'integer' } },
  'Tus-Resumable': { description: 'Version of the protocol (tus).', schema: { type: 'string', enum: ['1.0.0'] } },
  'Preference-Applied': { description: 'The wait that was granted.', schema: { type: 'string' } },
  Allow: { description: 'Methods that this path serves.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'How to show a key.', schema: { type: 'string', enum: ['Bearer'] } },
};

type HeaderName = keyof typeof headerComponents;

/** Headers beyond X-Request-Id that come with a status. */
const headersByStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: [
    'Retry-After',
    'RateLimit-Policy',
    'RateLimit',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ],
  503: ['Retry-After'],
};

/** What a status means in general; the examples say which codes it carries. */
const statusDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is not valid. `details` lists all faults.',
  401: 'The API key is missing or not valid.',
  403: 'The API key may not do this.',
  404: 'There is no such resource, or it is not yours.',
  405: 'The path does not serve this method.',
  409: 'The current state does not allow this.',
  410: 'What was asked for was kept for a time, and that is over.',
  412: 'A condition of the request is not met.',
  413: 'The body is too large.',
  415: 'The body is not of the content type that the operation takes.',
  416: 'The range lies behind the end of the content.',
  422: 'The Idempotency-Key was used with another request.',
  429: 'More requests than the rate of the key or of its tenant.',
  460: 'The bytes do not have the digest that was announced.',
  500: 'Something failed on our side.',
  503: 'The service cannot take the request now. Nothing was done, or it is safe to repeat with the same Idempotency-Key.',
};

/** Every answer of an operation by status: its success, its own failures, and those that all of its kind have. */
export function documentAnswers(operation: Operation, { show }: Components): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const [index, answer] of [operation.answer, ...(operation.otherAnswers ?? [])].entries()) {
    const name = `${pascalCase(operation.operationId)}Response${index === 0 ? '' : answer.status}`;
    const schema = answer.contentType === undefined ? show(answer.schema, name) : show(answer.schema);
    answers[answer.status] = successAnswer(answer, schema);
  }
  const error = show(ErrorBody);
  for (const [status, examples] of examplesByStatus(operation)) answers[status] = errorAnswer(status, examples, error);
  return answers;
}

function successAnswer(answer: Answer, schema: JsonValue): Record<string, unknown> {
  const examples = answer.examples ? { examples: answer.examples } : { example: answer.example };
  return {
    description: answer.description,
    headers: headers(answer.headers ?? []),
    content: {
      [answer.contentType ?? 'application/json']: { schema, ...examples },
      ...(answer.csvExample === undefined
        ? {}
        : { 'text/csv': { schema: { type: 'string' }, example: answer.csvExample } }),
    },
  };
}

function examplesByStatus(operation: Operation): Map<number, ErrorExample[]> {
  const own = operation.errorExamples ?? [];
  const shown = new Set(own.map(({ code }) => code));
  const codes = [...commonErrors(operation), ...operation.errors].filter((code) => !shown.has(code));
  const byStatus = new Map<number, ErrorExample[]>();
  for (const item of [...own, ...[...new Set(codes)].map((code) => example(code, operation))]) {
    const { status } = apiErrors[item.code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), item]);
  }
  return byStatus;
}

/** What every operation of a kind can answer, whatever it does. */
function commonErrors(operation: Operation): readonly ApiErrorCode[] {
  const keyed: ApiErrorCode[] = operation.scope
    ? ['unauthorized', 'forbidden', 'tenant_suspended', 'address_not_allowed', 'rate_limited', 'storage_unavailable']
    : [];
  const sending: ApiErrorCode[] = operation.sends ? ['test_key'] : [];
  const posted: ApiErrorCode[] =
    operation.method === 'POST' || operation.bodyExamples
      ? [operation.form ? 'invalid_request' : 'malformed_json', 'payload_too_large', 'unsupported_media_type']
      : [];
  const once: ApiErrorCode[] = operation.takesIdempotencyKey ? ['request_in_progress', 'idempotency_key_reused'] : [];
  // An open query has no unknown parameters.
  const checked: ApiErrorCode[] = operation.query && isOpen(operation.query) ? [] : ['validation_failed'];
  return [...checked, ...keyed, ...sending, 'method_not_allowed', ...posted, ...once, 'internal_error'];
}

/** Whether it takes whatever somebody else puts in. */
function isOpen(query: TSchema): boolean {
  return !('additionalProperties' in query);
}

/** What the example of a request without this scope is called: `lacksContactsRead`. */
export function lacks(scope: Scope): string {
  return `lacks${pascalCase(scope)}`;
}

/** The body of an error without anything more exact to say, as it is really answered. */
function example(code: ApiErrorCode, operation: Operation): ErrorExample {
  if (code === 'validation_failed') return unknownParameterExample;
  return {
    name: code === 'forbidden' && operation.scope !== null ? lacks(operation.scope) : camelCase(code),
    code,
    body: new ApiProblem(code, { sentence: sentenceOf(code, operation) }).toBody(),
  };
}

function sentenceOf(code: ApiErrorCode, operation: Operation): string {
  if (code === 'forbidden') return `This API key lacks the scope ${operation.scope}.`;
  if (code === 'malformed_json') return 'The body is not valid JSON: it ends too early.';
  return (operation.form || operation.takesBytes ? streamSentence(code, operation) : null) ?? apiErrors[code].sentence;
}

/** What is answered where the body is a form or raw bytes. */
function streamSentence(code: ApiErrorCode, { method }: Operation): string | null {
  if (method === 'PATCH') {
    return code === 'unsupported_media_type' ? 'Send the piece as application/offset+octet-stream.' : null;
  }
  if (code === 'unsupported_media_type') return 'Send the body as multipart/form-data.';
  if (code === 'payload_too_large') return 'The file is larger than 16777216 bytes.';
  return code === 'invalid_request' ? 'The body is not a complete multipart form.' : null;
}

/** What really answers `?colour=red`. */
const unknownParameterExample: ErrorExample = {
  name: 'unknownParameter',
  code: 'validation_failed',
  body: {
    error: 'colour is not a known query parameter here.',
    code: 'validation_failed',
    details: [{ path: 'query.colour', message: 'colour is not a known query parameter here.' }],
  },
};

function errorAnswer(status: number, examples: readonly ErrorExample[], schema: JsonValue): Record<string, unknown> {
  const values: Record<string, { readonly value: JsonValue }> = {};
  for (const { name, body } of examples) values[name] = { value: body };
  return {
    description: statusDescriptions[status],
    headers: headers(headersByStatus[status] ?? []),
    content: { 'application/json': { schema, examples: values } },
  };
}

function headers(names: readonly HeaderName[]): Record<string, unknown> {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { 'X-Request-Id': requestIdHeader, ...Object.fromEntries(references) };
}

function camelCase(slug: string): string {
  return slug.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
