import type { FastifyRequest } from 'fastify';
import type { Static, TObject, TProperties, TSchema, TString } from 'typebox';
import type { Requester } from '#core/caller/origin';
import type { Permission } from '#core/caller/permissions';
import type { Scope } from '#core/caller/scopes';
import { type ApiErrorCode, requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import type { RouteContext } from './deps.ts';
import { answerList } from './lists/answer-list.ts';
import type { ListIdentity } from './lists/cursor.ts';
import { pageAnswer } from './lists/page-answer.ts';
import { type Answer, defineOperation, type ErrorExample, type Operation } from './operation.ts';
import { principalOf, requesterOf } from './plugins/auth.ts';
import { ifMatchHeader, matchingVersions } from './plugins/if-match.ts';
import { deletedAnswer } from './schemas/deleted.ts';
import { queryOf } from './schemas/fields.ts';
import type { TagName } from './schemas/introduction.ts';
import { pageQuery } from './schemas/lists.ts';

/** What the operations of a resource have in common. Whatever differs in one of them is said there. */
export interface Resource<T> {
  /** Of the collection, `/v1/teams`: one item is at `/v1/teams/:id`. */
  readonly path: string;
  /** For operation ids: `Team` makes getTeam. */
  readonly name: string;
  /** The same in the plural; default: with an s. */
  readonly names?: string;
  /** For descriptions of answers: `team` makes "The team was deleted." */
  readonly noun: string;
  /** For summaries; default: the noun after "a". */
  readonly one?: string;
  /** For summaries and pages; default: the noun with an s. */
  readonly many?: string;
  readonly tag: TagName;
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  /** What an agent needs to write, when it is not what goes with the scope. */
  readonly writePermission?: Permission;
  readonly params: TObject<{ id: TString }>;
  readonly view: TSchema;
  readonly example: JsonObject;
  /** What answers an outdated If-Match. Without it, the resource has no versions. */
  readonly stale?: ErrorExample;
  /** @param nowMs the moment that the item is shown for */
  readonly present: (item: T, nowMs: number) => JsonObject;
}

/** What is said of one operation. */
interface Described {
  readonly description: string;
  /** Instead of the verb and the noun. */
  readonly summary?: string;
  /** What differs from the usual answer. */
  readonly answer?: Partial<Answer>;
  /** Its own failures, each with an example. Not found and a stale version are known from the resource. */
  readonly failures?: readonly ErrorExample[];
  /** Further failures, which are documented without an example of their own. */
  readonly errors?: readonly ApiErrorCode[];
  /** Whether customers get something of it, see `Operation`. */
  readonly sends?: boolean;
}

/** The body that an operation takes. */
interface Taking<B extends TSchema> extends Described {
  readonly body: B;
  readonly bodyExamples: NonNullable<Operation['bodyExamples']>;
}

/** Who asks for a change of one item, and of which version. */
export interface ItemRequest extends Requester {
  /** From the path, in lower case as ids are stored. */
  readonly id: string;
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

type WithBody<B extends TSchema> = FastifyRequest<{ Params: { id: string }; Body: Static<B> }>;

const verbs = {
  list: { method: 'GET', title: 'List', access: 'read', ofItem: false },
  create: { method: 'POST', title: 'Create', access: 'write', ofItem: false },
  get: { method: 'GET', title: 'Get', access: 'read', ofItem: true },
  update: { method: 'PATCH', title: 'Update', access: 'write', ofItem: true },
  delete: { method: 'DELETE', title: 'Delete', access: 'write', ofItem: true },
} as const;

function describeOperation<T>(of: Resource<T>, verb: keyof typeof verbs, own: Described, usual: Answer) {
  const { names = `${of.name}s`, one = `a ${of.noun}`, many = `${of.noun}s`, stale } = of;
  const { method, title, access, ofItem } = verbs[verb];
  const isConditional = ofItem && access === 'write' && stale !== undefined;
  const errorExamples = [...(own.failures ?? []), ...(isConditional ? [stale] : [])];
  return {
    method,
    path: ofItem ? `${of.path}/:id` : of.path,
    operationId: verb + (verb === 'list' ? names : of.name),
    summary: own.summary ?? `${title} ${verb === 'list' ? many : one}`,
    description: own.description,
    tag: of.tag,
    scope: of.scopes[access],
    ...(access === 'write' && of.writePermission ? { permission: of.writePermission } : {}),
    ...(isConditional ? { requestHeaders: [ifMatchHeader] } : {}),
    ...(own.sends ? { sends: true } : {}),
    answer: { ...usual, ...own.answer },
    errors: [...(ofItem ? (['not_found'] as const) : []), ...(own.errors ?? [])],
    errorExamples,
  };
}

/** An answer with one item. */
export function itemAnswer<T>({ view, example, stale }: Resource<T>, description: string): Answer {
  return { status: 200, description, schema: view, example, ...(stale ? { headers: ['ETag'] } : {}) };
}

interface Listing<T, Q extends TProperties, F> extends Described {
  /** Query parameters besides those of every list. */
  readonly query?: Q;
  /** What narrows the list down: it binds the cursors. */
  readonly filter?: (query: Static<TObject<Q>>) => F;
  /** Newest first. */
  readonly read: (
    context: RouteContext,
    of: { tenantId: TenantId; window: ListWindow; filter: F },
    request: FastifyRequest,
  ) => Promise<Page<T>>;
  /** The id that the list is ordered by: 32 hex digits, with or without dashes. */
  readonly idOf: (item: T) => string;
}

/** `GET /v1/teams`: a page of the tenant's items. */
export function listOperation<T, Q extends TProperties, F extends ListIdentity['filter']>(
  of: Resource<T>,
  own: Listing<T, Q, F>,
): Operation {
  const { many = `${of.noun}s` } = of;
  // Cursors hold this name: a page that was given out before an upgrade leads on after it.
  const name = of.path.replace('/v1/', '').replaceAll('-', '_');
  return defineOperation({
    ...describeOperation(of, 'list', own, pageAnswer(many, of.view, of.example)),
    query: queryOf({ ...pageQuery, ...own.query }),
    handle: (context) => (request, reply) => {
      const filter = own.filter?.(request.query as Static<TObject<Q>>) ?? ({} as F);
      return answerList(request, reply, {
        cursorKey: context.cursorKey,
        name,
        filter,
        read: (tenantId, window) => own.read(context, { tenantId, window, filter }, request as FastifyRequest),
        idOf: own.idOf,
        present: (item) => of.present(item, context.rt.clock.now()),
      });
    },
  });
}

/**
 * `GET /v1/teams/:id`.
 * @param own `find` is given the id as it is stored, in lower case
 */
export function getOperation<T>(
  of: Resource<T>,
  own: Described & {
    readonly find: (
      context: RouteContext,
      tenantId: TenantId,
      id: string,
      request: FastifyRequest,
    ) => Promise<T | null>;
  },
): Operation {
  return defineOperation({
    ...describeOperation(of, 'get', own, itemAnswer(of, `The ${of.noun}.`)),
    params: of.params,
    handle: (context) => async (request) => {
      const { tenantId } = principalOf(request);
      const item = await own.find(context, tenantId, request.params.id.toLowerCase(), request as FastifyRequest);
      return of.present(requireFound(item), context.rt.clock.now());
    },
  });
}

/**
 * `POST /v1/teams`, done once per Idempotency-Key: the change and the kept answer commit together.
 * @param own `create` must open its one transaction on the `db` that it is handed
 */
export function createOperation<T, B extends TSchema>(
  of: Resource<T>,
  own: Taking<B> & {
    readonly create: (context: RouteContext, asked: Requester, request: WithBody<B>) => Promise<T>;
  },
): Operation {
  const { view: schema, example } = of;
  const usual = { status: 201, description: `The ${of.noun} was created.`, schema, example };
  return defineOperation({
    ...describeOperation(of, 'create', own, usual),
    body: own.body,
    bodyExamples: own.bodyExamples,
    takesIdempotencyKey: 'within',
    handle: (context) => (request, _reply, once) =>
      once.change(
        (db) => own.create({ ...context, db }, requesterOf(request), request as WithBody<B>),
        (item) => of.present(item, context.rt.clock.now()),
      ),
  });
}

/** `PATCH /v1/teams/:id`, for the version that If-Match names. */
export function updateOperation<T, B extends TSchema>(
  of: Resource<T>,
  own: Taking<B> & {
    readonly update: (context: RouteContext, asked: ItemRequest, request: WithBody<B>) => Promise<T>;
  },
): Operation {
  return defineOperation({
    ...describeOperation(of, 'update', own, itemAnswer(of, `The updated ${of.noun}.`)),
    params: of.params,
    body: own.body,
    bodyExamples: own.bodyExamples,
    handle: (context) => async (request) => {
      const item = await own.update(context, itemRequest(request), request as WithBody<B>);
      return of.present(item, context.rt.clock.now());
    },
  });
}

/** `DELETE /v1/teams/:id`, for the version that If-Match names. */
export function deleteOperation<T>(
  of: Resource<T>,
  own: Described & {
    readonly remove: (context: RouteContext, asked: ItemRequest, request: FastifyRequest) => Promise<unknown>;
  },
): Operation {
  return defineOperation({
    ...describeOperation(of, 'delete', own, deletedAnswer(`The ${of.noun} was deleted.`, of.example.id)),
    params: of.params,
    handle: (context) => async (request) => {
      const asked = itemRequest(request);
      await own.remove(context, asked, request as FastifyRequest);
      return { id: asked.id, status: 'deleted' };
    },
  });
}

/** What operations at a path below one item have in common: `/v1/templates/:id/submit`. */
export function belowItem<T>(of: Resource<T>, rest: string, access: keyof Resource<T>['scopes']) {
  const { path, tag, scopes, params } = of;
  return { path: `${path}/:id/${rest}`, tag, scope: scopes[access], params, errors: ['not_found'] } as const;
}

/** Who asks for a change of the item in the path, and of which version. */
export function itemRequest(request: FastifyRequest<{ Params: { id: string } }>): ItemRequest {
  return { ...requesterOf(request), id: request.params.id.toLowerCase(), versions: matchingVersions(request) };
}
