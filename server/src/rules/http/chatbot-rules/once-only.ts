import type { FastifyReply, FastifyRequest } from 'fastify';
import { runOnce } from '#access/actions/run-once';
import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import { principalOf } from '#http/plugins/auth';
import type { Runtime } from '#runtime/runtime';

interface Asked {
  readonly rt: Runtime;
  readonly db: Database;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers a question that changes nothing; a repetition under the same Idempotency-Key gets the first answer again. */
export async function onceOnly(
  { rt, db, request, reply }: Asked,
  answer: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const claim = idempotencyClaim(request);
  if (claim === null) return answer();
  const work = async () => ({ statusCode: 200, body: await answer() });
  const outcome = await runOnce(rt, db, principalOf(request).tenantId, claim, work);
  if (outcome.replayed) markReplayed(rt.metrics, reply);
  return outcome.body;
}
