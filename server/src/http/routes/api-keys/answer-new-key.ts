import type { FastifyReply } from 'fastify';
import type { JsonObject } from '#core/json';
import type { Once } from '#operations/change-once';
import type { MadeKey } from '#operations/key-changes';
import type { Answer } from '#operations/run-once';
import type { Runtime } from '#runtime/runtime';
import { markReplayed } from '../../plugins/idempotency.ts';
import { presentKeptKey, presentNewKey } from '../../present/api-key.ts';

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
