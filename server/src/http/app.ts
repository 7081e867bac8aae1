import Fastify, { type FastifyInstance, type FastifyReply, type HTTPMethods } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { HttpDeps, RouteContext } from './deps.ts';
import { openApiDocument } from './openapi.ts';
import type { Operation } from './operation.ts';
import { requireKey } from './plugins/auth.ts';
import { answerClientError } from './plugins/client-errors.ts';
import { installClosing } from './plugins/closing.ts';
import { installCors } from './plugins/cors.ts';
import { installErrors, sendProblem } from './plugins/errors.ts';
import { installJsonBody } from './plugins/json-body.ts';
import { allowOnly } from './plugins/method-not-allowed.ts';
import { installNotFound } from './plugins/not-found.ts';
import { requestIdMaker } from './plugins/request-id.ts';
import { installStandardHeaders } from './plugins/standard-headers.ts';
import { operations } from './routes/index.ts';
import { getMetrics } from './routes/system/metrics.ts';
import { NoQuery } from './schemas/parameters.ts';
import { validatorCompiler } from './validation/ajv.ts';

/** A whole request, head and body, must arrive within this; a slow sender must not hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than any id, so that a long one is told that it is no id instead of "not found". */
const MAX_PARAM_CHARACTERS = 500;

/**
 * The HTTP API, not yet listening. Other entrances (the receiver of callbacks) register themselves on the result
 * with `app.register(...)`: they share the request id, the headers and the error answers, and bring their own
 * content type parsers, because the JSON parser and the keys belong to the operations alone.
 */
export function buildApp(deps: HttpDeps, roles: { readonly api: boolean } = { api: true }): FastifyInstance {
  const app = bareApp(deps);
  const context: RouteContext = { ...deps, openApiText: JSON.stringify(openApiDocument()) };
  installCors(app, deps.rt.config.corsOrigins);
  app.register((scope, _options, done) => {
    installJsonBody(scope);
    registerOperations(scope, context, roles.api ? operations : operations.filter(isForOperators));
    done();
  });
  return app;
}

/** Health and metrics: what every process answers, whatever its roles. */
function isForOperators(operation: Operation): boolean {
  return !operation.path.startsWith('/v1/');
}

/** `/metrics` alone, for a port of its own that only the monitoring can reach. */
export function buildMetricsApp(deps: HttpDeps): FastifyInstance {
  const app = bareApp(deps);
  registerOperations(app, { ...deps, openApiText: '' }, [getMetrics]);
  return app;
}

function bareApp({ rt }: HttpDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: requestIdMaker(rt.random),
    requestIdHeader: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // While closing, what still arrives on an open connection is served: the operation behind it knows whether it can.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    frameworkErrors: (_error, request, reply) => {
      const problem = new ApiProblem('invalid_request', { sentence: 'The address is not valid: check its % escapes.' });
      // The hooks have not run, and Fastify types this reply by a route that does not exist.
      sendProblem(reply.header('x-request-id', request.id) as unknown as FastifyReply, problem);
    },
  });
  app.setValidatorCompiler(validatorCompiler());
  app.decorateRequest('principal', null);
  app.decorateRequest('rawBody', null);
  installClosing(app, rt.clock);
  installStandardHeaders(app);
  installErrors(app, rt.log);
  installNotFound(app);
  app.removeAllContentTypeParsers();
  return app;
}

function registerOperations(app: FastifyInstance, context: RouteContext, list: readonly Operation[]): void {
  for (const operation of list) registerOperation(app, context, operation);
  for (const path of new Set(list.map((operation) => operation.path))) {
    const methods = list.filter((operation) => operation.path === path).map((operation) => operation.method);
    allowOnly(app, path, methods satisfies HTTPMethods[]);
  }
}

function registerOperation(app: FastifyInstance, context: RouteContext, operation: Operation): void {
  const { params, body, answer, scope } = operation;
  app.route({
    method: operation.method,
    url: operation.path,
    schema: {
      querystring: operation.query ?? NoQuery,
      ...(params ? { params } : {}),
      ...(body ? { body } : {}),
      ...(answer.contentType === undefined ? { response: { [answer.status]: answer.schema } } : {}),
    },
    ...(scope === null ? {} : { onRequest: requireKey(context.authenticator, scope) }),
    handler: operation.handle(context),
  });
}
