import type { FastifyReply } from 'fastify';
import type { Once } from '#access/actions/change-once';
import type { Answer } from '#access/actions/run-once';
import { markReplayed } from '#access/http/idempotency';
import type { JsonObject } from '#core/json';
import { tagVersion } from '#http/plugins/if-match';
import type { Runtime } from '#runtime/runtime';
import type { MadeEndpoint } from '#webhooks/actions/manage-endpoints';
import { presentKeptEndpoint, presentMadeEndpoint } from '#webhooks/http/present/webhook';

/** What is kept for repetitions of a request that made a secret. */
export function keptEndpoint(statusCode: number): (made: MadeEndpoint) => Answer {
  return (made) => ({ statusCode, body: presentKeptEndpoint(made) });
}

/** The endpoint with its secret, shown this once; for a repetition what was kept. */
export function answerMadeEndpoint(
  rt: Runtime,
  reply: FastifyReply,
  once: Once<MadeEndpoint>,
  statusCode: number,
): JsonObject {
  if (once.replayed) {
    markReplayed(rt.metrics, reply);
    reply.code(once.answer.statusCode);
    return once.answer.body;
  }
  reply.code(statusCode);
  tagVersion(reply, once.result.endpoint.version);
  return presentMadeEndpoint(once.result);
}
