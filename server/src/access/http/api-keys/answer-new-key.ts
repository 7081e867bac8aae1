import type { FastifyReply } from 'fastify';
import type { Once } from '#access/actions/change-once';
import type { MadeKey } from '#access/actions/key-changes';
import type { Answer } from '#access/actions/run-once';
import { markReplayed } from '#access/http/idempotency';
import { presentKeptKey, presentNewKey } from '#access/http/present/api-key';
import type { JsonObject } from '#core/json';
import type { Runtime } from '#runtime/runtime';

const CREATED = 201;

/** What is kept for repetitions of a request that made a key. */
export function keptKey(rt: Runtime): (made: MadeKey) => Answer {
  return (made) => ({ statusCode: CREATED, body: presentKeptKey(made, rt.clock.now()) });
}

/** The key, shown this once; for a repetition what was kept. */
export function answerNewKey(rt: Runtime, reply: FastifyReply, once: Once<MadeKey>): JsonObject {
  if (once.replayed) {
    markReplayed(rt.metrics, reply);
    reply.code(once.answer.statusCode);
    return once.answer.body;
  }
  reply.code(CREATED);
  return presentNewKey(once.result, rt.clock.now());
}
