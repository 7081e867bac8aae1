import type { ErrorBody, ErrorCode, Open } from './generated/types.ts';

/** Codes of this library itself, beside those of the service. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_answer'
  | 'invalid_signature'
  | 'message_failed';

/** What an error may say beside its sentence. */
export interface ErrorFacts {
  readonly code: Open<ErrorCode | ClientErrorCode>;
  readonly status?: number;
  readonly details?: NonNullable<ErrorBody['details']>;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** Everything that this library throws of its own, except for what a caller's signal aborts. */
export class PostriderError extends Error {
  /** Stable, and meant for programs. */
  readonly code: Open<ErrorCode | ClientErrorCode>;
  /** Status of the answer; null when there was none. */
  readonly status: number | null;
  /** All problems of a request that is not valid. */
  readonly details: NonNullable<ErrorBody['details']>;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | null;
  /** How long to wait before the next try, when the service says so. */
  readonly retryAfterMs: number | null;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/** No answer came: the service is unreachable, or the connection broke. */
export class ConnectionError extends PostriderError {}
/** No answer came in time. */
export class TimeoutError extends PostriderError {}
/** What answered is not this service, or something between changed the answer. */
export class UnexpectedAnswerError extends PostriderError {}
/** A webhook was not signed with any of the secrets, or too long ago. */
export class WebhookSignatureError extends PostriderError {}
/** A message that was waited for failed. */
export class MessageFailedError extends PostriderError {}

/** The service refused: 400. */
export class BadRequestError extends PostriderError {}
/** The key or the session does not work: 401. */
export class AuthenticationError extends PostriderError {}
/** The wallet or the plan does not cover it: 402. */
export class PaymentRequiredError extends PostriderError {}
/** The key or the agent may not do this: 403. */
export class PermissionError extends PostriderError {}
/** There is no such thing for this tenant: 404. */
export class NotFoundError extends PostriderError {}
/** It contradicts the present state: 409. */
export class ConflictError extends PostriderError {}
/** The event that a cursor names has expired: 410. Begin again without it. */
export class CursorExpiredError extends PostriderError {}
/** The version is no longer that of `ifMatch`: 412. */
export class PreconditionFailedError extends PostriderError {}
/** The request is understood, but cannot be executed: 422. */
export class UnprocessableError extends PostriderError {}
/** Too many requests: 429. */
export class RateLimitError extends PostriderError {}
/** The service has a problem: 5xx. */
export class ServerError extends PostriderError {}

const CLASSES: Readonly<Record<number, typeof PostriderError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: CursorExpiredError,
  412: PreconditionFailedError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** The error of an answer whose status is not one of success. */
export function errorOf(response: Response, text: string, retryAfterMs: number | null): PostriderError {
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  const body = parse(text);
  if (body === null) {
    const what = `${response.url || 'The address'} answered ${status} without an error of Postrider: is the base address right?`;
    return new UnexpectedAnswerError(what, { code: 'unexpected_answer', status, requestId, retryAfterMs });
  }
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : PostriderError);
  const { error, code, details = [] } = body;
  return new Class(sentence(error, details), { code, status, details, requestId, retryAfterMs });
}

/** Null: the text is no error of the service. */
function parse(text: string): ErrorBody | null {
  try {
    const body = JSON.parse(text) as ErrorBody | null;
    return typeof body?.code === 'string' && typeof body.error === 'string' ? body : null;
  } catch {
    return null;
  }
}

function sentence(error: string, details: NonNullable<ErrorBody['details']>): string {
  const problems = details.map(({ path, message }) => `${path}: ${message}`);
  return [error, ...problems].join(' ');
}
