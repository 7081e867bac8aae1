import { type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { ByteBudget, type Shortage } from '#core/byte-budget';
import { ApiProblem } from '#core/errors';
import type { Door } from '#runtime/metrics';
import type { Runtime } from '#runtime/runtime';
import { answerClientError } from './client-errors.ts';

/** Up to here a body costs no more than the connection that brings it, and MESSAGING_MAX_CONNECTIONS limits those. */
const UNCOUNTED_BYTES = 16 * 1024;
const MEBIBYTE = 1024 * 1024;
/** What one tenant may hold of the budget for bodies of requests with a key. */
const TENANT_SHARE = 1 / 4;

interface GuardOptions {
  readonly rt: Runtime;
  readonly door: Door;
  readonly budget: ByteBudget;
  /** Whose body it is. */
  readonly ownerOf: (request: FastifyRequest) => string;
  /** How long a whole body may take, in milliseconds; null: only the limits of the connection count. */
  readonly withinMs: number | null;
}

/** The guard of every request with a key: a tenant alone cannot use up the memory for all bodies. */
export function makeApiBodyGuard(rt: Runtime): preParsingHookHandler {
  const total = rt.config.bodyBudgetMb * MEBIBYTE;
  const budget = new ByteBudget({ total, perOwner: total * TENANT_SHARE });
  const ownerOf = ({ principal }: FastifyRequest): string => principal?.tenantId ?? '';
  return guardBodies({ rt, door: 'api', budget, ownerOf, withinMs: null });
}

/** The network and the payment gateway post a body at once; a slow one is neither. */
const CALLBACK_WITHIN_MS = 15_000;

/** The guards of the doors without keys, which share one budget. */
export function makeKeylessBodyGuards(
  rt: Runtime,
): Readonly<Record<Extract<Door, 'callbacks' | 'payments'>, preParsingHookHandler>> {
  const total = rt.config.callbackBudgetMb * MEBIBYTE;
  const budget = new ByteBudget({ total, perOwner: total });
  const guardOf = (door: Door) => guardBodies({ rt, door, budget, ownerOf: () => '', withinMs: CALLBACK_WITHIN_MS });
  return { callbacks: guardOf('callbacks'), payments: guardOf('payments') };
}

/**
 * Counts the bytes of bodies that are kept in memory as they arrive, until their request is answered. A body for which
 * there is no room is given up: 503, or 429 when its owner holds too much. Small bodies pass uncounted, so that most
 * requests cost two comparisons and are answered even when the budget is used up.
 */
function guardBodies(options: GuardOptions): preParsingHookHandler {
  return (request, reply, payload, done) => {
    const { headers } = request;
    const length = Number(headers['content-length'] ?? 0);
    const isChunked = headers['transfer-encoding'] !== undefined;
    if (options.withinMs !== null && (isChunked || length > 0)) endSlowBody(options, request, options.withinMs);
    const isCounted = isChunked || (length > UNCOUNTED_BYTES && length <= request.routeOptions.bodyLimit);
    done(null, isCounted ? counted(options, { request, reply, payload }) : payload);
  };
}

interface Arriving {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly payload: Readable;
}

function counted({ rt, door, budget, ownerOf }: GuardOptions, { request, reply, payload }: Arriving): Readable {
  const { bodiesHeld, bodyBytesHeld, refused } = rt.metrics;
  const owner = ownerOf(request);
  let bytes = 0;
  const meter = new Transform({
    transform: (chunk: Buffer, _encoding, pass) => {
      const shortage = budget.take(owner, chunk.length);
      if (shortage !== null) {
        refused.inc({ door, reason: shortage === 'all' ? 'body_budget' : 'tenant_body_budget' });
        return pass(noRoom(shortage));
      }
      bytes += chunk.length;
      bodyBytesHeld.inc({ door }, chunk.length);
      pass(null, chunk);
    },
  });
  bodiesHeld.inc({ door });
  reply.raw.once('close', () => {
    meter.destroy();
    // What is left of a body that was given up would hold back the next request of the connection.
    payload.unpipe(meter).resume();
    budget.give(owner, bytes);
    bodiesHeld.dec({ door });
    bodyBytesHeld.dec({ door }, bytes);
  });
  payload.once('error', (error) => meter.destroy(error));
  return payload.pipe(meter);
}

/** The rest of the body is not read, so that the connection ends with the answer. */
function noRoom(shortage: Shortage): ApiProblem {
  const headers = { connection: 'close' };
  if (shortage === 'all') return new ApiProblem('overloaded', { headers });
  const sentence =
    'This tenant is sending too many large bodies at the same time. Wait until some requests are complete.';
  return new ApiProblem('rate_limited', { sentence, headers });
}

function endSlowBody({ rt, door }: GuardOptions, { raw }: FastifyRequest, withinMs: number): void {
  const cancel = rt.clock.after(withinMs, () => {
    if (raw.complete) return;
    rt.metrics.refused.inc({ door, reason: 'slow_body' });
    answerClientError(
      Object.assign(new Error('The body took too long to arrive.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
    );
    raw.socket.destroySoon();
  });
  raw.once('close', cancel);
}
