import type { FastifyInstance } from 'fastify';
import type { Runtime } from '#runtime/runtime';

/**
 * Counts each request with its time, under the pattern of its path (what a path names is nobody's label), and writes a line about it
 * for whoever reads the log at level debug.
 */
export function installRequestRecords(app: FastifyInstance, { metrics, log }: Pick<Runtime, 'metrics' | 'log'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId, step, principal } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? 'unknown';
    metrics.httpRequests.observe({ method, route, status }, elapsedTime / 1_000);
    const { tenantId } = principal ?? {};
    log.debug(
      { requestId, traceId: step?.traceId, tenantId, method, route, status, ms: Math.round(elapsedTime) },
      'request.done',
    );
    done();
  });
}
