import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '#core/json';
import { runOnce } from '#operations/run-once';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { principalOf } from '../../plugins/auth.ts';
import { idempotencyClaim, markReplayed } from '../../plugins/idempotency.ts';

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
