import type { FastifyInstance } from 'fastify';
import type { TraceStep, Tracing } from '#runtime/tracing';

declare module 'fastify' {
  interface FastifyRequest {
    /** The step of a trace that this request is; null: traces are off. */
    step: TraceStep | null;
  }
}

/** Makes each request a step of the trace that its `traceparent` names, or the first of a new one. */
export function installRequestTracing(app: FastifyInstance, tracing: Tracing | null): void {
  app.decorateRequest('step', null);
  if (tracing === null) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const given = headers.traceparent;
    request.step = tracing.start(`${method} ${route}`, {
      kind: 'server',
      parent: typeof given === 'string' ? given : null,
      facts: { 'http.request.method': method, 'http.route': route, 'postrider.request_id': request.id },
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    request.step?.end({ 'http.response.status_code': statusCode }, statusCode >= 500 ? String(statusCode) : undefined);
    done();
  });
}
