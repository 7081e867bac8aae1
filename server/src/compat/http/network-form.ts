import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { networkRefusal } from '#compat/domain/network-error';
import { ApiProblem } from '#core/errors';
import { bearerKey } from '#http/plugins/auth';
import { installErrors } from '#http/plugins/errors';
import type { Runtime } from '#runtime/runtime';
import { UNSUPPORTED_PATH } from './network-operation.ts';

/** Where clients of one provider send their key. */
const OTHER_KEY_HEADER = 'd360-api-key';

/**
 * Makes a scope answer as the network does: failures in its form, and keys also where clients of it send them. People who are signed in
 * are nobody here: what a browser carries along by itself opens nothing.
 */
export function installNetworkForm(scope: FastifyInstance, rt: Pick<Runtime, 'log' | 'clock' | 'metrics'>): void {
  installNetworkErrors(scope, rt);
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done(keyProblem(request));
  });
}

function installNetworkErrors(scope: FastifyInstance, rt: Pick<Runtime, 'log' | 'clock' | 'metrics'>): void {
  installErrors(scope, rt, (reply, problem, request) => {
    const { status, body } = networkRefusal(problem, request.id);
    return reply.code(status).headers(problem.headers).type('application/json; charset=utf-8').send(body);
  });
}

/** Puts the key where everything else looks for it. */
function keyProblem(request: FastifyRequest): ApiProblem | undefined {
  const authorization = networkAuthorization(request);
  request.headers.authorization = authorization;
  return bearerKey(authorization) === null ? new ApiProblem('unauthorized') : undefined;
}

/** What a client of the network shows who it is with. */
export function networkAuthorization({ headers }: Pick<FastifyRequest['raw'], 'headers'>): string | undefined {
  const other = headers[OTHER_KEY_HEADER];
  return headers.authorization ?? (typeof other === 'string' ? `Bearer ${other}` : undefined);
}

/** Answers what the network offers and this service does not: without it, clients would read an answer of another form. */
export function installUnsupported(scope: FastifyInstance, rt: Pick<Runtime, 'log' | 'clock' | 'metrics'>): void {
  installNetworkErrors(scope, rt);
  scope.route({
    method: scope.supportedMethods as HTTPMethods[],
    url: UNSUPPORTED_PATH,
    onRequest: (_request, _reply, done) => done(new ApiProblem('not_found')),
    handler: () => undefined,
  });
}
