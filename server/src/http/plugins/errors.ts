import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobStoreUnavailable } from '#blobs/blob-store';
import type { ApiErrorCode } from '#core/errors';
import { ApiProblem, apiErrors } from '#core/errors';
import { StorageUnavailable } from '#database/database';
import { asStorageError, isDamage } from '#database/pg-errors';
import { type SchemaFault, summarise, validationProblem } from '#http/validation/faults';
import type { Runtime } from '#runtime/runtime';

/** Fastify reads such an error's fields; which of them exist depends on where it was raised. */
interface RaisedError {
  readonly name?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: readonly SchemaFault[];
  readonly validationContext?: string;
}

/**
 * A body that is too large but not absurd is read to its end and thrown away: a client that is still writing would
 * otherwise see a broken connection and not the 413.
 */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;

const codeByStatus: Readonly<Record<number, ApiErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'overloaded',
};

/** Writes a problem as the answer to a request. */
type SendProblem = (reply: FastifyReply, problem: ApiProblem, request: FastifyRequest) => FastifyReply;

/**
 * Answers every failure with `{ error, code, details? }`. What is not expected is a 500, logged, and says nothing.
 * @param send for an API that answers in another form
 */
export function installErrors(
  app: FastifyInstance,
  rt: Pick<Runtime, 'log' | 'clock' | 'metrics'>,
  send: SendProblem = sendProblem,
): void {
  const report = makeReport(rt);
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    report(request, problem, error);
    // Fastify closes the connection after any fault of a body; one that our parser refused has been read to its end.
    if (error instanceof ApiProblem) reply.removeHeader('connection');
    if (problem.status === 413) drain(request, reply);
    return send(reply, problem, request);
  });
}

/** Writes a problem as the answer. */
export function sendProblem(reply: FastifyReply, problem: ApiProblem): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .send(problem.toBody());
}

/** What the caller may know about any error. */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return withSummary(error);
  if (error instanceof BlobStoreUnavailable) return new ApiProblem('media_store_unavailable', { cause: error });
  const { validation, validationContext, statusCode } = error as RaisedError;
  // An id that cannot exist is an unknown one: a path names a resource or none, and the answer is the same.
  if (validation && validationContext === 'params') return new ApiProblem('not_found');
  if (validation) return validationProblem(validation, validationContext);
  if (statusCode !== undefined && statusCode < 500) {
    return new ApiProblem(codeByStatus[statusCode] ?? 'invalid_request', { cause: error });
  }
  const away = asStorageError(error) instanceof StorageUnavailable;
  return new ApiProblem(away ? 'storage_unavailable' : 'internal_error', { cause: error });
}

/** An operation that found several faults leaves their summary to this place. */
function withSummary(problem: ApiProblem): ApiProblem {
  const { code, details, headers } = problem;
  const general = code === 'validation_failed' && problem.message === apiErrors[code].sentence;
  if (!details || !general) return problem;
  return new ApiProblem(code, { sentence: summarise(details), details, headers, cause: problem.cause });
}

/** An overload refuses thousands of requests a second: a line for each would cost more than the refusal. */
const OVERLOAD_LINE_MS = 1_000;

type Report = (request: FastifyRequest, problem: ApiProblem, error: unknown) => void;

function makeReport({ log, clock, metrics }: Pick<Runtime, 'log' | 'clock' | 'metrics'>): Report {
  let nextLineMs = 0;
  let refused = 0;
  return (request, problem, error) => {
    const { code } = problem;
    if (apiErrors[code].fault !== 'ours') return;
    const line = {
      requestId: request.id,
      traceId: request.step?.traceId,
      method: request.method,
      route: request.routeOptions.url,
      code,
    };
    if (isDamage(error)) metrics.unreadable.inc({ by: 'request' });
    if (code === 'internal_error') return log.error({ ...line, err: error }, 'request.failed');
    if (code !== 'overloaded') return log.warn({ ...line, reason: reasonOf(error) }, 'request.refused');
    refused += 1;
    const nowMs = clock.monotonic();
    if (nowMs < nextLineMs) return;
    log.warn({ ...line, refused }, 'request.refused');
    nextLineMs = nowMs + OVERLOAD_LINE_MS;
    refused = 0;
  };
}

function drain(request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(request.headers['content-length']);
  if (!(length <= MAX_DRAINED_BYTES)) {
    reply.header('connection', 'close');
    return;
  }
  reply.removeHeader('connection');
  request.raw.resume();
}

/** The most internal reason there is: it goes to the log only. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : String(cause ?? message);
}
