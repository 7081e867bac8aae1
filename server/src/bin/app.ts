import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type HTTPMethods,
  type RouteShorthandOptions,
} from 'fastify';
import type { TSchema } from 'typebox';
import { handleOnce } from '#access/http/once';
import { holdToNumbers } from '#accounts/http/number-limit';
import { findAgent } from '#agents/store/agents';
import { installNetworkForm, installUnsupported } from '#compat/http/network-form';
import { ApiProblem } from '#core/errors';
import type { HttpDeps, RouteContext } from '#http/deps';
import { type HandlerWithin, type Operation, permissionFor } from '#http/operation';
import { type FindAgent, requireAgent } from '#http/plugins/agent';
import { type Gate, requireCaller, requireRecentSignIn, requireSession } from '#http/plugins/auth';
import { makeApiBodyGuard } from '#http/plugins/body-guard';
import { proxyTrust } from '#http/plugins/caller-address';
import { answerClientError } from '#http/plugins/client-errors';
import { installClosing } from '#http/plugins/closing';
import { installCors } from '#http/plugins/cors';
import { installErrors, sendProblem } from '#http/plugins/errors';
import { tagAnswer } from '#http/plugins/if-match';
import { installJsonBody } from '#http/plugins/json-body';
import { allowOnly } from '#http/plugins/method-not-allowed';
import { installNotFound } from '#http/plugins/not-found';
import { makeRateLimit, makeSignInLimit, makeWrongKeyLimit } from '#http/plugins/rate-limit';
import { requestIdMaker } from '#http/plugins/request-id';
import { installRequestRecords } from '#http/plugins/request-records';
import { installRequestTracing } from '#http/plugins/request-tracing';
import { installSimulatorProxy } from '#http/plugins/simulator-proxy';
import { installStandardHeaders } from '#http/plugins/standard-headers';
import { MessageIdParams, NoQuery } from '#http/schemas/parameters';
import { buildLazySerializers } from '#http/serializers';
import { inOutsideSlot } from '#http/slots/outside-slot';
import { validatorCompiler } from '#http/validation/ajv';
import { installTableBody } from '#imports/http/table-body';
import { getMetricsRoute } from '#maintenance/http/system';
import { installMultipart } from '#media/http/multipart';
import { readOtherNames, readQuotedNames } from '#messages/http/other-names';
import { makeOverloadGuard } from '#messages/http/overload-guard';
import { networkIsSimulated } from '#runtime/simulated';
import { installSso } from '#users/http/sso-entrance';
import { openApiText } from './openapi.ts';
import { networkOperations, operations } from './operations.ts';

/** A whole request, head and body, must arrive within this: 16 MiB over 256 kbit/s take nine minutes. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;
/** The head alone. */
const HEADERS_TIMEOUT_MS = 30_000;
/** A connection on which nothing moves for so long is closed: a silent sender must not hold it. */
const STALL_TIMEOUT_MS = 60_000;
/** Longer than any id: what the router finds nowhere is answered before anyone is asked for a key. */
const MAX_PARAM_CHARACTERS = 500;

/**
 * The HTTP API, not yet listening. Other entrances (the receiver of callbacks) register themselves on the result
 * with `app.register(...)`: they share the request id, the headers and the error answers, and bring their own
 * content type parsers, because the JSON parser and the keys belong to the operations alone.
 */
export function buildApp(deps: HttpDeps, roles: { readonly api: boolean } = { api: true }): FastifyInstance {
  const app = bareApp(deps);
  const { metricsAccess } = deps.rt.config;
  const context: RouteContext = { ...deps, gate: gateOf(deps), openApiText, metricsAccess };
  installCors(app, deps.rt.config.corsOrigins);
  const served = roles.api ? operations : operations.filter(isForOperators);
  const network = roles.api ? networkOperations : [];
  const guard = makeApiBodyGuard(deps.rt);
  /** Operations that read bodies in the same way share a scope, because parsers belong to scopes. */
  const register = (
    installParsers: (scope: FastifyInstance) => void,
    belongs: (operation: Operation) => boolean,
    list = served,
  ) =>
    app.register((scope, _options, done) => {
      installParsers(scope);
      registerOperations(scope, context, list.filter(belongs));
      done();
    });
  register(
    (scope) => installJsonBody(scope, guard),
    (operation) => !readsStream(operation) && !readsTable(operation),
  );
  register((scope) => {
    installJsonBody(scope, guard);
    installTableBody(scope);
  }, readsTable);
  register(installMultipart, readsStream);
  register(
    (scope) => {
      installJsonBody(scope, guard);
      installNetworkForm(scope, deps.rt);
    },
    (operation) => !readsStream(operation),
    network,
  );
  register(
    (scope) => {
      installMultipart(scope);
      installNetworkForm(scope, deps.rt);
    },
    readsStream,
    network,
  );
  if (roles.api) app.register(async (scope) => installUnsupported(scope, deps.rt));
  allowOnlyServed(app, served);
  if (roles.api) installSso(app, { ...deps, ...deps.sso }, context.gate);
  if (roles.api && deps.phone !== null) {
    installSimulatorProxy(app, {
      phone: deps.phone,
      guard: requireSession(context.gate),
    });
  }
  return app;
}

function readsStream({ form, takesBytes }: Operation): boolean {
  return form !== undefined || takesBytes === true;
}

function readsTable({ tableExamples }: Operation): boolean {
  return tableExamples !== undefined;
}

/** Health and metrics: what every process answers, whatever its roles. */
function isForOperators({ path }: Operation): boolean {
  return !path.startsWith('/v1/') && !path.startsWith('/docs');
}

/** `/metrics` alone, for a port of its own that only the monitoring can reach. */
export function buildMetricsApp(deps: HttpDeps): FastifyInstance {
  const app = bareApp(deps);
  registerOperations(app, { ...deps, gate: gateOf(deps), openApiText, metricsAccess: 'anyone' }, [getMetricsRoute]);
  allowOnlyServed(app, [getMetricsRoute]);
  return app;
}

function gateOf({ rt, acceptor, authenticator, sessionAuthenticator, rateShare }: HttpDeps): Gate {
  return {
    authenticator,
    sessions: sessionAuthenticator,
    rateLimit: makeRateLimit(rt, rateShare),
    wrongKeyLimit: makeWrongKeyLimit(rt),
    signInLimit: makeSignInLimit(rt),
    overloadGuard: makeOverloadGuard(rt, acceptor),
    networkIsSimulator: networkIsSimulated(rt.config),
  };
}

function bareApp({ rt }: HttpDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: requestIdMaker(rt.random),
    requestIdHeader: false,
    trustProxy: proxyTrust(rt.config.trustedProxies),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STALL_TIMEOUT_MS,
    // A header that must come once and comes twice is joined, so that nobody reads the first and another the second.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, joinDuplicateHeaders: true },
    // While closing, what still arrives on an open connection is served: the operation behind it knows whether it can.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    frameworkErrors: (_error, request, reply) => {
      const problem = new ApiProblem('invalid_request', { sentence: 'The URL is not valid: check its % escapes.' });
      // The hooks have not run, and Fastify types this reply by a route that does not exist.
      sendProblem(reply.header('x-request-id', request.id) as unknown as FastifyReply, problem);
    },
  });
  app.server.maxConnections = rt.config.maxConnections;
  app.server.on('drop', () => rt.metrics.refused.inc({ door: 'api', reason: 'connections' }));
  app.setValidatorCompiler(validatorCompiler());
  app.decorateRequest('principal', null);
  app.decorateRequest('agent', null);
  app.decorateRequest('rawBody', null);
  installClosing(app, rt.clock);
  installStandardHeaders(app);
  installRequestRecords(app, rt);
  installRequestTracing(app, rt.tracing);
  installErrors(app, rt);
  installNotFound(app);
  app.removeAllContentTypeParsers();
  return app;
}

function registerOperations(app: FastifyInstance, context: RouteContext, list: readonly Operation[]): void {
  for (const operation of list) registerOperation(app, context, operation);
}

function allowOnlyServed(app: FastifyInstance, list: readonly Operation[]): void {
  for (const path of new Set(list.map((operation) => operation.path))) {
    const served = list.filter((operation) => operation.path === path);
    const methods = served.map((operation) => operation.method);
    const optionsHeaders = Object.assign({}, ...served.map((operation) => operation.optionsHeaders ?? {}));
    allowOnly(app, path, methods satisfies HTTPMethods[], optionsHeaders);
  }
}

function registerOperation(app: FastifyInstance, context: RouteContext, operation: Operation): void {
  const { params, body, bodyLimit, tableExamples } = operation;
  app.route({
    method: operation.method,
    url: operation.path,
    schema: {
      querystring: operation.query ?? NoQuery,
      ...(params ? { params } : {}),
      // A table is no object that a schema could look at.
      ...(body ? { body: tableExamples ? { content: { 'application/json': { schema: body } } } : body } : {}),
      response: responseSchemas(operation),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...admission(context, operation),
    ...(operation.answer.headers?.includes('ETag') ? { preSerialization: tagAnswer } : {}),
    handler: inOutsideSlot(context, operation, handleOnce(context, operation, withStatus(operation, context))),
  });
}

/** The handler of an operation; what it does not answer otherwise has the status that the operation declares first. */
function withStatus({ answer: { status }, handle }: Operation, context: RouteContext): HandlerWithin {
  const answer = handle(context);
  return status === 200 ? answer : (request, reply, once) => answer(request, reply.code(status), once);
}

/** Who may come in: first the key, then the agent that it acts for; and with which sending numbers. Whether there is room comes before what costs more. */
function admission(
  context: RouteContext,
  operation: Operation,
): Pick<RouteShorthandOptions, 'onRequest' | 'preValidation' | 'preHandler'> {
  const { scope, session = false, sends = false, recentSignIn = false, operationId, errors, params, body } = operation;
  const recent = recentSignIn ? [requireRecentSignIn(context.rt.clock)] : [];
  if (session) return { onRequest: [requireSession(context.gate), ...recent] };
  const permission = permissionFor(operation);
  if (scope === null || permission === null) return {};
  const { onRequest: held, preValidation = [], preHandler = [] } = holdToNumbers(context, operationId);
  const room = errors.includes('overloaded') ? context.gate.overloadGuard : [];
  const find: FindAgent = (tenantId, agentId) => findAgent(context.db, tenantId, agentId);
  const hooks = [
    requireCaller(context.gate, { scope, sends }),
    room,
    held ?? [],
    requireAgent(find, permission),
    ...recent,
  ];
  const names = [
    ...(params === MessageIdParams ? [readOtherNames(context)] : []),
    ...(sends && body ? [readQuotedNames(context)] : []),
  ];
  return { onRequest: hooks.flat(), preValidation: [names, preValidation].flat(), preHandler };
}

/** By status; an answer that is not JSON has none. */
function responseSchemas({ answer, otherAnswers = [] }: Operation): Record<number, TSchema> {
  const json = [answer, ...otherAnswers].filter(({ contentType }) => contentType === undefined);
  return Object.fromEntries(json.map(({ status, schema }) => [status, schema]));
}
