import type { TSchema } from 'typebox';
import type { Scope } from '#core/caller/scopes';
import { type ApiErrorCode, ApiProblem, apiErrors } from '#core/errors';
import type { JsonObject, JsonValue } from '#core/json';
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

/** What any answer to a failed request can carry. X-Request-Id comes with every answer, as the introduction says. */
const commonHeaders: readonly HeaderName[] = [
  'WWW-Authenticate',
  'Allow',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Headers that come with an operation's own failures of a status. */
const headersByStatus: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  503: ['Retry-After'],
};

/** As many failures as the name of an answer names. */
const MAX_NAMED = 3;

/** How an answer is called when several operations have it; the document itself does not show it. */
export const ANSWER_NAME = 'x-answer-name';

/**
 * Every answer of an operation by status: its successes, the failures that are its own, and as `default` those that are
 * described once for all operations.
 */
export function documentAnswers(operation: Operation, { show }: Components): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const [index, answer] of [operation.answer, ...(operation.otherAnswers ?? [])].entries()) {
    const name = `${pascalCase(operation.operationId)}Response${index === 0 ? '' : answer.status}`;
    const schema = answer.contentType === undefined ? show(answer.schema, name) : show(answer.schema);
    answers[answer.status] = successAnswer(answer, schema);
  }
  const error = show(ErrorBody);
  for (const [status, failures] of ownByStatus(operation)) answers[status] = failureAnswer(status, failures, error);
  return { ...answers, default: { $ref: '#/components/responses/CommonErrors' } };
}

/** What `default` of every operation is: the failures that do not depend on what it does. */
export function documentCommonErrors({ show }: Components): Record<string, unknown> {
  const groups = commonFailures.map(({ title, codes }) => `${title}:\n\n${codes.map(commonLine).join('\n')}`);
  const description = `${COMMON_INTRODUCTION}\n\n${groups.join('\n\n')}`;
  return { description, headers: headers(commonHeaders), content: { 'application/json': { schema: show(ErrorBody) } } };
}

function successAnswer(answer: Answer, schema: JsonValue): Record<string, unknown> {
  const examples = answer.examples ? { examples: answer.examples } : { example: answer.example };
  return {
    [ANSWER_NAME]: pascalCase(answer.description.replace(/^(?:The|A|An) |\.$/g, '')),
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

/** Everything that a request of this kind can be refused with, as it is really answered: its own failures first. */
export function failuresOf(operation: Operation): readonly ErrorExample[] {
  return [...ownFailures(operation), ...commonErrors(operation).map((code) => example(code, operation))];
}

function ownFailures(operation: Operation): readonly ErrorExample[] {
  const common = new Set(commonErrors(operation));
  const own = operation.errorExamples ?? [];
  const shown = new Set(own.map(({ code }) => code));
  const others = operation.errors.filter((code) => !shown.has(code) && !common.has(code));
  return [...own, ...others.map((code) => example(code, operation))];
}

function ownByStatus(operation: Operation): Map<string, ErrorExample[]> {
  const byStatus = new Map<string, ErrorExample[]>();
  for (const item of ownFailures(operation)) {
    const status = String(apiErrors[item.code].status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), item]);
  }
  return byStatus;
}

const COMMON_INTRODUCTION =
  'Errors that do not depend on what the operation does, each with a sentence as it may be answered. The status depends on the code: see the page of errors. What belongs to somebody else is answered as if it did not exist. After a 5xx, nothing was done, or it is safe to retry with the same Idempotency-Key.';

interface CommonFailures {
  /** Which requests they concern. */
  readonly title: string;
  readonly codes: readonly ApiErrorCode[];
  readonly concerns: (operation: Operation) => boolean;
}

const needsCaller = ({ scope, session }: Operation) => scope !== null || session === true;
const takesBody = ({ method, bodyExamples }: Operation) => method === 'POST' || bodyExamples !== undefined;

/** What requests of each kind can be refused with, whatever the operation does. */
const commonFailures: readonly CommonFailures[] = [
  {
    title: 'All requests',
    codes: ['method_not_allowed', 'internal_error'],
    concerns: () => true,
  },
  {
    title: 'With parameters or a body',
    codes: ['validation_failed'],
    // An open query has no unknown parameters.
    concerns: ({ query }) => !(query && isOpen(query)),
  },
  { title: 'With an API key', codes: ['unauthorized', 'forbidden'], concerns: ({ scope }) => scope !== null },
  {
    title: 'In a session',
    codes: ['not_signed_in', 'cross_site'],
    concerns: ({ scope, session }) => scope === null && session === true,
  },
  {
    title: 'With a key or in a session',
    codes: ['tenant_suspended', 'address_not_allowed', 'rate_limited', 'storage_unavailable', 'tenant_moving'],
    concerns: needsCaller,
  },
  {
    title: 'Where the sign-in must be recent',
    codes: ['sign_in_again'],
    concerns: ({ recentSignIn }) => recentSignIn === true,
  },
  { title: 'Where messages are sent', codes: ['test_key'], concerns: ({ sends }) => sends === true },
  {
    title: 'With a JSON body',
    codes: ['malformed_json'],
    concerns: (operation) => takesBody(operation) && !operation.form,
  },
  {
    title: 'With a form',
    codes: ['invalid_request'],
    concerns: (operation) => takesBody(operation) && operation.form !== undefined,
  },
  { title: 'With any body', codes: ['payload_too_large', 'unsupported_media_type'], concerns: takesBody },
  {
    title: 'With an Idempotency-Key',
    codes: ['request_in_progress', 'idempotency_key_reused'],
    concerns: ({ takesIdempotencyKey }) => takesIdempotencyKey !== undefined,
  },
];

function commonErrors(operation: Operation): readonly ApiErrorCode[] {
  return commonFailures.filter(({ concerns }) => concerns(operation)).flatMap(({ codes }) => codes);
}

/** A code with what its answer says in most operations. */
function commonLine(code: ApiErrorCode): string {
  return `- ${failureLine({ code, body: { error: commonSentences[code] ?? apiErrors[code].sentence } })}`;
}

function failureLine({ code, body }: Pick<ErrorExample, 'code' | 'body'>): string {
  return `\`${code}\`: ${(body as JsonObject).error}`;
}

/** Whether it takes whatever somebody else puts in. */
function isOpen(query: TSchema): boolean {
  return !('additionalProperties' in query);
}

/** The scope that the example of a missing one names, for all operations. */
export const EXAMPLE_SCOPE: Scope = 'messages:read';

/** What is answered where the sentence of a code depends on the request: an example of it. */
const commonSentences: Partial<Record<ApiErrorCode, string>> = {
  validation_failed: 'colour is not a known query parameter here.',
  forbidden: `This API key lacks the scope ${EXAMPLE_SCOPE}.`,
  malformed_json: 'The body is not valid JSON: it ends too early.',
};

/** The body of an error without anything more exact to say, as it is really answered. */
function example(code: ApiErrorCode, operation: Operation): ErrorExample {
  if (code === 'validation_failed') return unknownParameterExample;
  const stream = operation.form || operation.takesBytes ? streamSentence(code, operation) : null;
  const sentence = stream ?? commonSentences[code] ?? apiErrors[code].sentence;
  return { name: camelCase(code), code, body: new ApiProblem(code, { sentence }).toBody() };
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

function failureAnswer(status: string, failures: readonly ErrorExample[], schema: JsonValue): Record<string, unknown> {
  const lines = failures.map(failureLine);
  return {
    [ANSWER_NAME]: pascalCase(
      failures
        .map(({ name }) => name)
        .slice(0, MAX_NAMED)
        .join(' '),
    ),
    description: lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join('\n'),
    headers: headers(headersByStatus[status] ?? []),
    content: { 'application/json': { schema } },
  };
}

function headers(names: readonly HeaderName[]): Record<string, unknown> | undefined {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return references.length === 0 ? undefined : Object.fromEntries(references);
}

function camelCase(slug: string): string {
  return slug.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
