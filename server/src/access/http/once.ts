import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotentDatabase, Replayed } from '#access/actions/idempotent-database';
import { type KeptAnswer, runOnce } from '#access/actions/run-once';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { HttpDeps } from '#http/deps';
import type { Once } from '#http/once';
import type { Handler, HandlerWithin, Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';

/** "Idempotency-Key (1–255 characters) on every POST": visible ones, because a key must survive a log and a header. */
const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const HEADER = 'idempotency-key';

type Deps = Pick<HttpDeps, 'rt' | 'db'>;

/** Does the work of an operation that takes an Idempotency-Key at most once per key; others are left as they are. */
export function handleOnce(deps: Deps, { takesIdempotencyKey }: Operation, handle: HandlerWithin): Handler {
  if (takesIdempotencyKey === undefined) return handle as Handler;
  if (takesIdempotencyKey === 'within') {
    return (request, reply) => handle(request, reply, new RequestOnce(deps, request, reply));
  }
  return (request, reply) => {
    const once = new RequestOnce(deps, request, reply);
    return once.run(async () => handle(request, reply, once) as Promise<JsonObject>);
  };
}

class RequestOnce implements Once {
  readonly #deps: Deps;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
    this.#deps = deps;
    this.#request = request;
    this.#reply = reply;
  }

  get claim(): IdempotencyClaim | null {
    return claimOf(this.#request, this.#request.rawBody);
  }

  async run(work: () => Promise<JsonObject>, content?: string): Promise<JsonObject> {
    const claim = claimOf(this.#request, content ?? this.#request.rawBody);
    if (claim === null) return work();
    const { rt, db } = this.#deps;
    const { tenantId } = principalOf(this.#request);
    const answer = await runOnce(rt, db, tenantId, claim, async () => this.#answer(await work()));
    return answer.replayed ? this.replay(answer.statusCode, answer.body) : answer.body;
  }

  async change<T>(
    act: (db: Database) => Promise<T>,
    present: (result: T) => JsonObject,
    keep?: (result: T) => JsonObject,
  ): Promise<JsonObject> {
    const { rt, db } = this.#deps;
    const { claim } = this;
    if (claim === null) return present(await act(db));
    const { tenantId } = principalOf(this.#request);
    let body: JsonObject = {};
    const answer = (result: unknown) => {
      body = present(result as T);
      return this.#answer(keep?.(result as T) ?? body);
    };
    try {
      await act(idempotentDatabase(rt, db, { tenantId, claim, keep: answer }));
      return body;
    } catch (error) {
      if (error instanceof Replayed) return this.replay(error.answer.statusCode, error.answer.body);
      throw error;
    }
  }

  replay(statusCode: number, body: JsonObject): JsonObject {
    this.#deps.rt.metrics.replayed.inc();
    this.#reply.code(statusCode).header('idempotent-replayed', 'true');
    return body;
  }

  #answer(body: JsonObject): KeptAnswer {
    return { statusCode: this.#reply.statusCode, body };
  }
}

/**
 * The claim of a request on being done once, or null without the header. The key is hashed, so that what is stored has one length; the
 * fingerprint binds it to this very request.
 * @throws ApiProblem validation_failed when the header is empty, too long or not visible ASCII
 */
function claimOf(
  { headers, method, url }: Pick<FastifyRequest, 'headers' | 'method' | 'url'>,
  content: string | Buffer | null,
): IdempotencyClaim | null {
  const key = headers[HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !VISIBLE.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.';
    throw problemOf([{ path: `header.${HEADER}`, message }]);
  }
  const fingerprint = createHash('sha256').update(`${method} ${url}\n`);
  if (content) fingerprint.update(content);
  return { keyHash: createHash('sha256').update(key).digest('base64'), fingerprint: fingerprint.digest('base64') };
}
