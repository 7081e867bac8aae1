import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import Fastify, { type FastifyInstance } from 'fastify';

/** A text. */
interface SendBody {
  readonly to: string;
  readonly body: string;
}

const ANSWER = {
  type: 'object',
  properties: { id: { type: 'string' }, status: { type: 'string' }, type: { type: 'string' }, to: { type: 'string' } },
} as const;

/** The schema of the body of a text, the only type that the bench sends. */
const TEXT_BODY = { $ref: 'openapi#/components/schemas/SendText' } as const;

/** What a route does with a valid request before it answers. */
export type Keep = (body: SendBody) => Promise<void> | null;

/**
 * `POST /v1/messages` as a bare Fastify route: the published schema of a text, one JSON parse, a 202 with the four
 * fields. No key, no extra headers, no storage: faster than the service could be without a database, so a ratio to it
 * is a strict one.
 * @param openApiFile the published description, whose schema is used
 * @param keep stores the request; null when nothing has to be waited for
 */
export function buildPlainRoute(openApiFile: string, keep: Keep): FastifyInstance {
  const app = Fastify({ logger: false });
  const ajv = new Ajv({
    allErrors: true,
    removeAdditional: false,
    useDefaults: true,
    coerceTypes: false,
    strict: false,
    validateFormats: false,
  });
  app.setValidatorCompiler(({ schema }) => ajv.compile(schema as object));
  ajv.addSchema(JSON.parse(readFileSync(openApiFile, 'utf8')), 'openapi');
  const schema = { body: TEXT_BODY, response: { 202: ANSWER } };
  app.post<{ Body: SendBody }>('/v1/messages', { schema }, async (request, reply) => {
    const kept = keep(request.body);
    if (kept !== null) await kept;
    reply.code(202);
    return { id: randomUUID(), status: 'queued', type: 'text', to: request.body.to };
  });
  return app;
}
