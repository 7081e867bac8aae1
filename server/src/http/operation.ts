import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { type Permission, permissionOfScope } from '#core/caller/permissions';
import type { Scope } from '#core/caller/scopes';
import type { ApiErrorCode } from '#core/errors';
import type { JsonObject, JsonValue } from '#core/json';
import type { TagName } from '#http/schemas/introduction';
import type { RouteContext } from './deps.ts';
import type { Once } from './once.ts';

/** A successful answer. Answers of errors follow from `Operation.errors`. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly schema: TSchema;
  readonly contentType?: string;
  readonly example: JsonValue;
  /** The same as a table, for whoever accepts `text/csv`. */
  readonly csvExample?: string;
  /** Further examples by name; they are shown instead of `example`, which is then one of them. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: JsonValue }>>;
  /** Names from the header table in openapi-answers.ts. X-Request-Id and Idempotent-Replayed are not named: the introduction does. */
  readonly headers?: readonly (
    | 'Link'
    | 'Preference-Applied'
    | 'Postrider-Warning'
    | 'ETag'
    | 'Content-Disposition'
    | 'Accept-Ranges'
    | 'Content-Range'
    | 'Location'
    | 'Upload-Offset'
    | 'Tus-Resumable'
  )[];
}

/** A failure with the bytes it really answers, shown in the OpenAPI document. */
export interface ErrorExample {
  readonly name: string;
  readonly code: ApiErrorCode;
  readonly body: JsonObject;
}

/** A header that the handler reads by itself. */
export interface RequestHeader {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  /** Whether the operation does not work without it. */
  readonly required?: boolean;
}

/** Answers a request. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Answers a request, and sees to it that its work is done once: see `takesIdempotencyKey`. */
export type HandlerWithin = (request: FastifyRequest, reply: FastifyReply, once: Once) => unknown;

/**
 * One endpoint: how it is reached, what it takes and answers, and what it does. The same schemas validate the
 * request, serialise the answer and become the OpenAPI document.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As Fastify writes it: `/v1/messages/:id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: TagName;
  /** Null: no key is needed. */
  readonly scope: Scope | null;
  /** Whether a person must have signed in, for what they do for themselves; there is no scope then. */
  readonly session?: boolean;
  /** Whether a person must have signed in within the last minutes: what takes data out, costs money, or gives others rights. */
  readonly recentSignIn?: boolean;
  /** What an agent needs, when it is not what goes with the scope. */
  readonly permission?: Permission;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** Shown instead of `query`, when the operation still takes what nobody should begin to use. */
  readonly documentedQuery?: TSchema;
  readonly body?: TSchema;
  /** Shown instead of `body`, when the handler checks more than that. */
  readonly documentedBody?: TSchema;
  /** Whether the request may come without a body. */
  readonly bodyIsOptional?: boolean;
  /** Named examples of the body. An operation without them documents no body. */
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: JsonValue }>>;
  /** The same as the body of a request itself, beside JSON: an example by content type. The handler reads it as a stream. */
  readonly tableExamples?: Readonly<Record<string, string>>;
  /** The form that is posted instead of JSON, for the documentation: the handler reads it as a stream. */
  readonly form?: TSchema;
  /** The fields of that form as the documentation shows them. */
  readonly formExample?: JsonObject;
  /** The body is raw bytes (tus), read by the handler as a stream. */
  readonly takesBytes?: boolean;
  /** Those bytes as the documentation shows them. */
  readonly bytesExample?: string;
  /** What OPTIONS answers besides Allow. */
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  /** Headers of the request that only this kind of operation reads. */
  readonly requestHeaders?: readonly RequestHeader[];
  /** Whether customers get or see something of it, now or later: a test key may do that only towards the simulator. */
  readonly sends?: boolean;
  /**
   * True: the whole handler runs at most once per key, and a repetition gets its answer. `within`: the handler is handed `once`, because
   * its answer commits with its change, or because something comes before the key: a check of rights, or a body that is a stream.
   */
  readonly takesIdempotencyKey?: true | 'within';
  /** Whether `Prefer: wait=N` is understood. */
  readonly takesPreference?: boolean;
  /** Larger bodies than usual, in bytes. */
  readonly bodyLimit?: number;
  readonly answer: Answer;
  /** Further successes, each with a status of its own. */
  readonly otherAnswers?: readonly Answer[];
  /** Beyond those that every operation of its kind can answer (see openapi-answers.ts). */
  readonly errors: readonly ApiErrorCode[];
  readonly errorExamples?: readonly ErrorExample[];
  readonly handle: (context: RouteContext) => HandlerWithin;
}

type TypedRequest<P extends TSchema, Q extends TSchema, B extends TSchema> = FastifyRequest<{
  Params: Static<P>;
  Querystring: Static<Q>;
  Body: Static<B>;
}>;

type Handling<R> =
  | {
      readonly takesIdempotencyKey: 'within';
      readonly handle: (context: RouteContext) => (request: R, reply: FastifyReply, once: Once) => unknown;
    }
  | {
      readonly takesIdempotencyKey?: true;
      readonly handle: (context: RouteContext) => (request: R, reply: FastifyReply) => unknown;
    };

type TypedOperation<P extends TSchema, Q extends TSchema, B extends TSchema> = Omit<
  Operation,
  'params' | 'query' | 'body' | 'errors' | 'takesIdempotencyKey' | 'handle'
> & {
  /** Besides those of its examples. */
  readonly errors?: Operation['errors'];
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
} & Handling<TypedRequest<P, Q, B>>;

/** Types the handler's request from the schemas that Fastify validates it with, and adds the errors that it has examples of. */
export function defineOperation<P extends TSchema, Q extends TSchema, B extends TSchema>(
  operation: TypedOperation<P, Q, B>,
): Operation {
  const { errors = [], errorExamples = [] } = operation;
  const codes = new Set([...errors, ...errorExamples.map(({ code }) => code)]);
  // The one place where the handler's types are given up: a list of operations cannot keep them.
  return { ...operation, errors: [...codes] } as unknown as Operation;
}

/** What an agent needs for an operation; null: nobody is asked who it is. */
export function permissionFor({ scope, permission }: Pick<Operation, 'scope' | 'permission'>): Permission | null {
  return scope === null ? null : (permission ?? permissionOfScope[scope]);
}
