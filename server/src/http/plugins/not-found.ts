import type { FastifyInstance } from 'fastify';
import { ApiProblem } from '#core/errors';
import { sendProblem } from './errors.ts';

/** An unknown path. A method that the router does not know never reaches a path at all: that is a 405. */
export function installNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    if (app.supportedMethods.includes(request.method)) return sendProblem(reply, new ApiProblem('not_found'));
    return sendProblem(
      reply,
      new ApiProblem('method_not_allowed', { headers: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' } }),
    );
  });
}
