import type { FastifyReply, FastifyRequest } from 'fastify';
import { runOnce } from '#access/actions/run-once';
import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { principalOf } from '#http/plugins/auth';

interface Once {
  readonly request: Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'rawBody'>;
  readonly reply: FastifyReply;
  readonly work: () => Promise<JsonObject>;
}

/** Answers a POST with 200, at most once per Idempotency-Key. */
export async function answerOnce(
  { rt, db }: Pick<HttpDeps, 'rt' | 'db'>,
  { request, reply, work }: Once,
): Promise<JsonObject> {
  const { tenantId } = principalOf(request as FastifyRequest);
  const claim = idempotencyClaim(request);
  if (claim === null) return work();
  const outcome = await runOnce(rt, db, tenantId, claim, async () => ({ statusCode: 200, body: await work() }));
  if (outcome.replayed) markReplayed(rt.metrics, reply);
  return outcome.body;
}
