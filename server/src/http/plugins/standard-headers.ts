import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';

const TWO_HOSTS = 'The request has more than one Host header.';

/** RFC 9112, 3.2: a server MUST respond with 400 to a request with more than one Host field. They arrive joined. */
function hasTwoHosts(request: FastifyRequest): boolean {
  return request.headers.host?.includes(',') === true;
}

/** Every answer: its request id, and no guessing of content types. Answers under /v1 are a tenant's: never cached. */
export function installStandardHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store');
    done(hasTwoHosts(request) ? new ApiProblem('invalid_request', { sentence: TWO_HOSTS }) : undefined);
  });
}
