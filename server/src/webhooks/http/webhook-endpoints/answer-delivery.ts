import type { FastifyReply } from 'fastify';
import type { Once } from '#access/actions/change-once';
import type { Answer } from '#access/actions/run-once';
import { markReplayed } from '#access/http/idempotency';
import type { JsonObject } from '#core/json';
import type { Runtime } from '#runtime/runtime';
import type { WebhookDelivery } from '#webhooks/domain/webhook';
import { presentDelivery } from '#webhooks/http/present/webhook';

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
