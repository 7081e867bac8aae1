import type { FastifyReply } from 'fastify';
import type { JsonObject } from '#core/json';
import type { Once } from '#operations/change-once';
import type { MadeEndpoint } from '#operations/manage-endpoints';
import type { Answer } from '#operations/run-once';
import type { Runtime } from '#runtime/runtime';
import { markReplayed } from '../../plugins/idempotency.ts';
import { tagVersion } from '../../plugins/if-match.ts';
import { presentKeptEndpoint, presentMadeEndpoint } from '../../present/webhook.ts';

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
