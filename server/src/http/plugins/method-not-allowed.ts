import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiProblem } from '#core/errors';
import { sendProblem } from './errors.ts';

/**
 * Answers every other method of a path: OPTIONS with 204 and `Allow`, the rest with 405 and `Allow`. It answers
 * before the body is read, so that the method is what the caller hears about.
 * @param methods what the path serves; HEAD comes with GET
 * @param optionsHeaders what OPTIONS says besides
 */
export function allowOnly(
  app: FastifyInstance,
  path: string,
  methods: readonly HTTPMethods[],
  optionsHeaders: Readonly<Record<string, string>> = {},
): void {
  const served = new Set<string>(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
  const others = app.supportedMethods.filter((method) => !served.has(method)) as HTTPMethods[];
  const headers = { allow: [...served, 'OPTIONS'].join(', ') };
  app.route({
    method: others,
    url: path,
    onRequest: (request, reply) => {
      if (request.method === 'OPTIONS')
        reply
          .code(204)
          .headers({ ...optionsHeaders, ...headers })
          .send();
      else sendProblem(reply, new ApiProblem('method_not_allowed', { headers }));
    },
    handler: () => undefined,
  });
}
