import type { FastifyReply } from 'fastify';
import type { JsonObject } from '#core/json';
import { tagVersion } from '#http/plugins/if-match';
import type { MadeEndpoint } from '#webhooks/actions/manage-endpoints';
import { presentMadeEndpoint } from '#webhooks/http/present/webhook';

/** The endpoint with its secret, shown this once. */
export function answerMadeEndpoint(reply: FastifyReply, made: MadeEndpoint): JsonObject {
  tagVersion(reply, made.endpoint.version);
  return presentMadeEndpoint(made);
}
