import type { FastifyReply } from 'fastify';
import type { JsonObject } from '#core/json';
import type { WebhookDelivery } from '#core/webhook';
import type { Once } from '#operations/change-once';
import type { Answer } from '#operations/run-once';
import type { Runtime } from '#runtime/runtime';
import { markReplayed } from '../../plugins/idempotency.ts';
import { presentDelivery } from '../../present/webhook.ts';

const ACCEPTED = 202;

/** What is kept for repetitions of a request that queued a delivery. */
export function keptDelivery(delivery: WebhookDelivery): Answer {
  return { statusCode: ACCEPTED, body: presentDelivery(delivery) };
}

/** The delivery that was queued; for a repetition what was kept. */
export function answerDelivery(rt: Runtime, reply: FastifyReply, once: Once<WebhookDelivery>): JsonObject {
  if (once.replayed) markReplayed(rt.metrics, reply);
  reply.code(ACCEPTED);
  return once.replayed ? once.answer.body : presentDelivery(once.result);
}
