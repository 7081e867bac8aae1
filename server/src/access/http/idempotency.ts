import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Once } from '#access/actions/change-once';
import type { IdempotencyClaim } from '#access/domain/idempotency';
import type { JsonObject } from '#core/json';
import { problemOf } from '#http/validation/faults';
import type { Metrics } from '#runtime/metrics';

/** "Idempotency-Key (1–255 characters) on every POST": visible ones, because a key must survive a log and a header. */
const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const HEADER = 'idempotency-key';

/**
 * The caller's claim on "do this once", or null without the header. The key is hashed, so that what is stored has
 * one length; the fingerprint binds it to this very request.
 * @throws ApiProblem validation_failed when the header is empty, too long or not visible ASCII
 */
export function idempotencyClaim(
  request: Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'rawBody'>,
): IdempotencyClaim | null {
  const key = request.headers[HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !VISIBLE.test(key)) {
    throw problemOf([
      {
        path: `header.${HEADER}`,
        message: 'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
      },
    ]);
  }
  const fingerprint = createHash('sha256').update(`${request.method} ${request.url}\n`);
  if (request.rawBody) fingerprint.update(request.rawBody);
  return { keyHash: createHash('sha256').update(key).digest('base64'), fingerprint: fingerprint.digest('base64') };
}

/** Says that this answer is the one of an earlier request with the same key, to the caller and to the counters. */
export function markReplayed(metrics: Pick<Metrics, 'replayed'>, reply: FastifyReply): void {
  metrics.replayed.inc();
  reply.header('idempotent-replayed', 'true');
}

interface FirstAnswer<T> {
  readonly statusCode: number;
  readonly present: (result: T) => JsonObject;
}

/** What a change that happens once is answered: shown the first time, repeated with its mark afterwards. */
export function answerOnce<T>(
  metrics: Pick<Metrics, 'replayed'>,
  reply: FastifyReply,
  once: Once<T>,
  { statusCode, present }: FirstAnswer<T>,
): JsonObject {
  reply.code(once.replayed ? once.answer.statusCode : statusCode);
  if (!once.replayed) return present(once.result);
  markReplayed(metrics, reply);
  return once.answer.body;
}
