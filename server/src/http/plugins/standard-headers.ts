import type { FastifyInstance } from 'fastify';

/** Every answer: its request id, and no guessing of content types. Answers under /v1 are a tenant's: never cached. */
export function installStandardHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store');
    done();
  });
}
