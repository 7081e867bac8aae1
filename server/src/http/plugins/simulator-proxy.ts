import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { PhoneAnswer, SimulatorPhone } from '#core/network/simulator-phone';

/** Paths of the simulator for whoever is signed in. */
export const SIMULATOR_PREFIX = '/simulator/';
/** A voice note of a minute, as base64 in JSON. */
const MAX_BODY_BYTES = 1024 * 1024;

/** What a customer's phone needs of the simulator, and no more: nothing that resets it, moves its clock or names tokens. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  phones: ['GET'],
  phone: ['GET'],
  'phone/behavior': ['GET', 'PUT'],
  'phone/read': ['POST'],
  inbound: ['POST'],
  messages: ['GET'],
  numbers: ['GET'],
  templates: ['GET'],
  'media/file': ['GET'],
  chaos: ['GET', 'PUT'],
};
const METHODS = ['GET', 'POST', 'PUT'];
/** What a page may show in its place; everything else is for saving, whatever the sender calls it. */
const SHOWN = /^(image|audio|video)\/[\w.+-]+(;|$)|^application\/json(;|$)|^text\/plain(;|$)/i;

interface ProxyOptions {
  readonly phone: SimulatorPhone;
  /** Lets nobody pass who is not signed in, and no request that a page of another site makes. */
  readonly guard: onRequestHookHandler;
}

/**
 * Serves the console's phone at `/simulator/…`: a page may talk to its own origin only, and the simulator is another
 * one. Registered where the network is the simulator, and nowhere else.
 */
export function installSimulatorProxy(app: FastifyInstance, { phone, guard }: ProxyOptions): void {
  app.register((scope, _options, done) => {
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.route({
      method: METHODS,
      url: `${SIMULATOR_PREFIX}*`,
      onRequest: guard,
      bodyLimit: MAX_BODY_BYTES,
      handler: (request, reply) => forward(phone, request, reply),
    });
    done();
  });
}

async function forward(phone: SimulatorPhone, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = '', query] = request.url.slice(SIMULATOR_PREFIX.length).split(/\?(.*)/s);
  requireAllowed(path, request.method);
  const answer = await ask(phone, {
    method: request.method,
    path: `/_sim/${path}${query === undefined ? '' : `?${query}`}`,
    body: Buffer.isBuffer(request.body) ? request.body : null,
  });
  // The bytes are a customer's: opened as a page of this origin they must not run.
  reply.headers({ 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' });
  reply.header('cache-control', 'no-store');
  if (!SHOWN.test(answer.contentType)) reply.header('content-disposition', 'attachment');
  if (answer.contentLength !== null) reply.header('content-length', answer.contentLength);
  return reply.code(answer.status).type(answer.contentType).send(answer.body);
}

/** @throws ApiProblem not_found, method_not_allowed */
function requireAllowed(path: string, method: string): void {
  const allowed = Object.hasOwn(ALLOWED, path) ? ALLOWED[path] : undefined;
  if (allowed === undefined) throw new ApiProblem('not_found');
  const asked = method === 'HEAD' ? 'GET' : method;
  if (!allowed.includes(asked)) throw new ApiProblem('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

/** @throws ApiProblem network_unreachable with what to do */
async function ask(phone: SimulatorPhone, call: Parameters<SimulatorPhone['ask']>[0]): Promise<PhoneAnswer> {
  try {
    return await phone.ask(call);
  } catch (cause) {
    const sentence = `The simulator does not answer at ${phone.url}. Start it with "npm start" or "postrider simulator".`;
    throw new ApiProblem('network_unreachable', { sentence, cause });
  }
}
