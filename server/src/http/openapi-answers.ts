import type { TSchema } from 'typebox';
import type { Scope } from '#core/caller/scopes';
import { type ApiErrorCode, ApiProblem, apiErrors } from '#core/errors';
import type { JsonValue } from '#core/json';
import { ErrorBody } from '#http/schemas/errors';
import { type Components, pascalCase } from './openapi-components.ts';
import type { Answer, ErrorExample, Operation } from './operation.ts';

/** Headers that answers carry, described once. */
export const headerComponents = {
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limits that apply to the request: q requests in w seconds.',
    schema: { type: 'string' },
    example: '"key";q=50;w=1',
  },
  RateLimit: {
    description: 'Requests remaining (r) under each limit, and seconds until it resets (t).',
    schema: { type: 'string' },
    example: '"key";r=0;t=1',
  },
  'X-RateLimit-Limit': {
    description: 'Requests per second of the limit with the fewest requests remaining.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'Requests remaining under that limit.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until that limit resets.', schema: { type: 'integer' } },
  Link: { description: 'URL of the next page, with rel="next".', schema: { type: 'string' } },
  ETag: {
    description: 'Version of the resource, or sha256 of the media, in quotes.',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'Filename; always an attachment.', schema: { type: 'string' } },
  'Accept-Ranges': { description: 'Byte ranges are supported.', schema: { type: 'string', enum: ['bytes'] } },
  Location: { description: 'URL of the created resource.', schema: { type: 'string' } },
  'Content-Range': { description: 'The returned range and the total size.', schema: { type: 'string' } },
  'Upload-Offset': { description: 'Bytes received so far (tus).', schema: { type: 'integer' } },
  'Tus-Resumable': { description: 'Protocol version (tus).', schema: { type: 'string', enum: ['1.0.0'] } },
  'Postrider-Warning': {
    description:
      'Codes of what may keep the message from being delivered as it is, comma separated: those of the warnings of a dry run, such as window_closed. Absent without any, and in repeated answers.',
    schema: { type: 'string' },
    example: 'window_closed',
  },
  'Preference-Applied': { description: 'The wait that was applied.', schema: { type: 'string' } },
  Allow: { description: 'Methods allowed for this path.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', enum: ['Bearer'] } },
};

type HeaderName = keyof typeof headerComponents;

/** Headers that come with the errors of a status. X-Request-Id comes with every answer, as the introduction says. */
const headersByStatus: Readonly<Record<string, readonly HeaderName[]>> = {
  default: [
    'WWW-Authenticate',
    'Allow',
    'Retry-After',
    'RateLimit-Policy',
    'RateLimit',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ],
  401: ['WWW-Authenticate'],
  503: ['Retry-After'],
};

/** What a status means in general; the examples say which codes it carries. */
const statusDescriptions: Readonly<Record<string, string>> = {
  default:
    'Errors that any request of this kind can return. The status depends on the code: see the page of errors. After a 5xx, nothing was done, or it is safe to retry with the same Idempotency-Key.',
  400: 'The request is not valid. `details` lists every problem.',
  401: 'The API key is missing or not valid.',
  403: 'The API key is not allowed to do this.',
  404: 'The resource does not exist or is not yours.',
  405: 'The path does not support this method.',
  409: 'The current state does not allow this.',
  410: 'The requested data has expired.',
  412: 'A condition of the request is not met.',
  413: 'The body is too large.',
  415: 'The operation does not accept this content type.',
  416: 'The range starts after the end of the content.',
  422: 'The Idempotency-Key was used with another request.',
  429: 'The rate limit of the key or of its tenant is exceeded.',
  460: 'The bytes do not match the given digest.',
  500: 'Something failed on our side.',
  503: 'The service cannot handle the request right now. Nothing was done, or it is safe to retry with the same Idempotency-Key.',
};

/**
 * Every answer of an operation by status: its successes, the errors that are its own, and as `default` those that every
 * operation of its kind has.
 */
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

function examplesByStatus(operation: Operation): Map<string, ErrorExample[]> {
  const common = new Set(commonErrors(operation));
  const own = operation.errorExamples ?? [];
  const shown = new Set(own.map(({ code }) => code));
  const others = operation.errors.filter((code) => !shown.has(code) && !common.has(code));
  const byStatus = new Map<string, ErrorExample[]>();
  const add = (status: string, item: ErrorExample) => byStatus.set(status, [...(byStatus.get(status) ?? []), item]);
  for (const item of [...own, ...others.map((code) => example(code, operation))]) {
    add(String(apiErrors[item.code].status), item);
  }
  for (const code of common) add('default', example(code, operation));
  return byStatus;
}

/** What every operation of a kind can answer, whatever it does. */
function commonErrors(operation: Operation): readonly ApiErrorCode[] {
  const keyed: ApiErrorCode[] = operation.scope
    ? [
        'unauthorized',
        'forbidden',
        'tenant_suspended',
        'address_not_allowed',
        'rate_limited',
        'storage_unavailable',
        'tenant_moving',
      ]
    : operation.session
      ? [
          'not_signed_in',
          'cross_site',
          'tenant_suspended',
          'address_not_allowed',
          'rate_limited',
          'storage_unavailable',
          'tenant_moving',
        ]
      : [];
  const recent: ApiErrorCode[] = operation.recentSignIn ? ['sign_in_again'] : [];
  const sending: ApiErrorCode[] = operation.sends ? ['test_key'] : [];
  const posted: ApiErrorCode[] =
    operation.method === 'POST' || operation.bodyExamples
      ? [operation.form ? 'invalid_request' : 'malformed_json', 'payload_too_large', 'unsupported_media_type']
      : [];
  const once: ApiErrorCode[] = operation.takesIdempotencyKey ? ['request_in_progress', 'idempotency_key_reused'] : [];
  // An open query has no unknown parameters.
  const checked: ApiErrorCode[] = operation.query && isOpen(operation.query) ? [] : ['validation_failed'];
  return [...checked, ...keyed, ...recent, ...sending, 'method_not_allowed', ...posted, ...once, 'internal_error'];
}

/** Whether it takes whatever somebody else puts in. */
function isOpen(query: TSchema): boolean {
  return !('additionalProperties' in query);
}

/** The scope that the example of a missing one names, for all operations. */
export const EXAMPLE_SCOPE: Scope = 'messages:read';

/** The body of an error without anything more exact to say, as it is really answered. */
function example(code: ApiErrorCode, operation: Operation): ErrorExample {
  if (code === 'validation_failed') return unknownParameterExample;
  return {
    name: camelCase(code),
    code,
    body: new ApiProblem(code, { sentence: sentenceOf(code, operation) }).toBody(),
  };
}

function sentenceOf(code: ApiErrorCode, operation: Operation): string {
  if (code === 'forbidden') return `This API key lacks the scope ${EXAMPLE_SCOPE}.`;
  if (code === 'malformed_json') return 'The body is not valid JSON: it ends too early.';
  return (operation.form || operation.takesBytes ? streamSentence(code, operation) : null) ?? apiErrors[code].sentence;
}

/** What is answered where the body is a form or raw bytes. */
function streamSentence(code: ApiErrorCode, { method }: Operation): string | null {
  if (method === 'PATCH') {
    return code === 'unsupported_media_type' ? 'Send the chunk as application/offset+octet-stream.' : null;
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

function errorAnswer(status: string, examples: readonly ErrorExample[], schema: JsonValue): Record<string, unknown> {
  const values: Record<string, { readonly value: JsonValue }> = {};
  for (const { name, body } of examples) values[name] = { value: body };
  return {
    description: statusDescriptions[status],
    headers: headers(headersByStatus[status] ?? []),
    content: { 'application/json': { schema, examples: values } },
  };
}

function headers(names: readonly HeaderName[]): Record<string, unknown> | undefined {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return references.length === 0 ? undefined : Object.fromEntries(references);
}

function camelCase(slug: string): string {
  return slug.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
