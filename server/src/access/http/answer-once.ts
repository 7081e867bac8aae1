import type { FastifyReply, FastifyRequest } from 'fastify';
import { runOnce } from '#access/actions/run-once';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { principalOf } from '#http/plugins/auth';
import { idempotencyClaim, markReplayed } from './idempotency.ts';

/**
 * Answers a POST whose work is one operation: at most once per Idempotency-Key, as often as it comes without one.
 * @throws ApiProblem request_in_progress, idempotency_key_reused, or whatever `work` throws (then nothing is kept)
 */
export async function answerOnce(
  { rt, db }: Pick<HttpDeps, 'rt' | 'db'>,
  request: Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'rawBody' | 'principal'>,
  reply: FastifyReply,
  work: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const claim = idempotencyClaim(request);
  if (claim === null) return work();
  const { tenantId } = principalOf(request);
  const { statusCode } = reply;
  const outcome = await runOnce(rt, db, tenantId, claim, async () => ({ statusCode, body: await work() }));
  if (outcome.replayed) markReplayed(rt.metrics, reply);
  return outcome.body;
}
